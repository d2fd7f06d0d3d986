// What makes an English wording no claim, and what does not. Data only. Seed, "What is checked", section 3 (the generic actor) and the
// non-claims of section 4.
import type { ExemptionRow } from './language-patterns.js'

/** Latin letters; the text is in small ones. */
const l = String.raw`a-z\u00aa-\u024f`
/** Between two words. */
const g = String.raw`[ \t\u0001]{1,40}`
const mark = String.raw`["'\x60“”]?`

const sources =
  '(?:docs?|documentation|issues?|tickets?|pull requests?|prs?|articles?|blog|posts?|readme|spec(?:ification)?s?|changelog|release notes?|manual|reports?|wiki|paper|rfc|guides?|logs?|upstream|survey|study|stor(?:y|ies)|template|faq|runbook|postmortem|transcripts?|tutorial|book|policy|website|commit|tests?|copy|comments?)'
const reports =
  '(?:says?|said|states?|stated|claims?|claimed|notes?|noted|reports?|reported|mentions?|mentioned|shows?|showed|describes?|described|reads?|suggests?|suggested|assumes?|assumed|implies|implied|explains?|explained|documents?|documented|records?|recorded|tells?|lists?|asserts?|asserted|where)'
const imperatives =
  '(?:run|use|only|apply|execute|include|list|show|keep|return|deploy|merge|never|any|every|each|all|follow|send|respond|reply|format|write|output|read|do|make|add|remove|delete|call|check|confirm|ensure|verify|proceed|continue|stop|wait|ask|start|create|update|set|save|store|load|open|close|print|render|display|put|pick|select|choose|give|get|let|publish|push|commit|install|move|copy|share|sort|generate|produce|provide|mark|treat|record|act|work|handle|name|quote|limit|restrict|summari[sz]e|translate)'
const other =
  '(?:vendors?|clients?|team|legal|customers?|partners?|suppliers?|stakeholders?|pm|product|design|designers?|engineering|ops|qa|finance|marketing|board|council|committee|landlord|dentist|doctor|neighbou?rs?|teachers?|friends|backend|frontend|contractors?|bank|school)'

export const englishExemptions: readonly ExemptionRow[] = [
  {
    id: 'scalar-key',
    says: 'a key line whose key holds the decision words and whose value is a scalar',
    where: 'line',
    pattern: String.raw`${mark}[^:=]{0,60}[^:=\d][:=]{1,2}>?[ \t]*["'\x60]?(?:true|false|yes|no|y|n|null|none|nil|n\/a|on|off|undefined|[-+]?\d[\d.,:\/%TZ-]*|\[\]|\{\})["'\x60]?[ \t]*[,;.]?(?:[ \t]+(?:#|\/\/).*)?$`,
  },
  {
    id: 'word-key',
    says: 'a lower-case key with a value of one word; a capitalised key with a word is a claim',
    where: 'key',
    pattern: String.raw`["'\x60]?[a-z][a-z' ]{0,50}["'\x60]?[ \t]*(?::|=)[ \t]*["'\x60]?[\w.-]+["'\x60]?[ \t]*,?$`,
    notRows: ['user-s-decision'],
  },
  {
    id: 'identifier-key',
    says: 'a key line with an identifier for its key, whatever its value',
    where: 'key',
    pattern: String.raw`["'\x60]?(?:[A-Za-z$][A-Za-z0-9$]*(?:_[A-Za-z0-9$]+)+|[a-z]+\d*[A-Z][A-Za-z0-9]*|[a-z][A-Za-z0-9_]*(?:\.[A-Za-z0-9_]+)+|(?:on|data|aria)-[a-z-]+|event|emit|emits|trigger|triggers|hook|tooltip|toast|enum|placeholder|aria|css|const|let|var|log)["'\x60]?[ \t]*(?:[:=](?!=)|=>)`,
  },
  {
    id: 'label',
    says: 'a line with a label of tests, tickets, interview notes, policies or changelogs',
    where: 'line',
    pattern: String.raw`(?:\[?(?:(?:known |open |upstream |github |jira |linear )?(?:bug|issue|ticket|story|task|epic|defect|incident|pr|pull request|mr|case|test|test case|tc|qa|ux|ui|ac|req|requirement|step|scenario|precondition|postcondition|prerequisite)s?(?:[ -]?(?:report|notes?|case|step|review|finding|scenario|copy))?(?:[ \t]*(?:#|no\.? ?|[a-z]{1,6}-)?\d[\w.-]*)?|[a-z][a-z0-9]{1,9}-\d{1,6}|expected(?: (?:result|behaviou?r|outcome|output))?|actual(?: (?:result|behaviou?r))?|acceptance criteria|steps?(?: to reproduce)?|repro(?:duction)?|feature|user stor(?:y|ies)|persona|participant|interview(?:ee| with [^:]{1,24})?|respondent|(?:(?:user|customer) )?(?:interview|research|survey|usability)(?: (?:notes?|study|session|finding|summary))?|changelog|change log|release notes?|policy|policies|(?:refund|privacy|security|return|access) policy|terms|docs?|faq|template|sample|example|examples|fixture|mock|stub|tutorial|happy path|edge case|flow|[a-z]{3,12} flow|journey|quiz|error|warning|log|button|toast|tooltip|banner|modal|dialog|placeholder|caption|alt text|(?:button|toast|error|ui|menu|dialog|modal) (?:label|text|copy|message|title)|email (?:subject|template)|notification|column|field|event|p\d{1,2})(?:[ \t]*(?:v?\d[\w.-]*|#?\d[\w-]*|[a-z]{1,6}-\d+|\([^()]{1,30}\)))?\]?[ \t]*(?::|—|–|[ ]-[ ])|\[(?:bug|test|qa|spec|example|ticket|issue)[^\]]{0,20}\])`,
    unless: String.raw`(?:update|context|decision|status)[ \t]*:`,
  },
  {
    id: 'given',
    says: 'a line that begins with "Given", or with a numbered step',
    where: 'line',
    pattern: String.raw`step[ ]\d{1,3}[.)]|(?:given|scenario outline|background)\b(?!${g}(?:name|up|back|in\b))`,
  },
  {
    id: 'example',
    says: 'a study, scenario or example word before the subject, in its clause',
    where: 'clause',
    pattern: String.raw`\b(?:usability|user[ -]test(?:s|ing)?|user research|research|stud(?:y|ies)|scenarios?|personas?|experiments?|a\/b[ -]tests?|surveys?|hypothetical(?:ly)?|happy path|test cases?|use cases?|edge cases?|user (?:story|stories|journey)|examples?|for instance|e\.g\.?|suppose|supposing|imagine|let's say|pretend|playtests?|focus group|participants?|simulat(?:ed|ion))(?![a-z])`,
    unless: String.raw`^(?![ \t\u0001]{0,8}(?:in|during|for|throughout|within)\b).*(?:\band|,[ \t\u0001]{0,8}so|\bthen)[ \t\u0001]{0,40}$`,
  },
  {
    id: 'flow',
    says: 'a flow or test in which it happened: "In the checkout flow the user …"',
    where: 'clause',
    pattern: String.raw`(?:^|[^a-z])(?:in|during|within|throughout|inside|through|on|at|along|under)${g}(?:[\w-]{1,20}${g}){0,5}(?:flows?|tests?|testing|interviews?|prototypes?|mock-?ups?|wireframes?|simulations?|trials?|tutorials?|samples?|fixtures?|walkthroughs?|journeys?|sandbox|dialogs?|forms?|modals?|wizards?|screens?|storyboards?|demos?|checkout|onboarding)[ \t\u0001]{0,8},?[ \t\u0001]{0,8}$|^(?![ \t\u0001]{0,8}(?:for|after|before|with|about|since|despite)[ ])[ \t\u0001]{0,8}(?:the|a|our|this)?[ \t\u0001]{0,8}(?:[\w-]{1,20}${g}){0,3}(?:flow|test|prototype|mock-?up|wireframe|walkthrough|demo|tutorial)[ \t\u0001]{0,8}(?:[:,—–-]|assumes|shows|starts|begins|where|in which|when|simulates)`,
  },
  {
    id: 'source',
    says: 'a source reports it: "Upstream issue #4411 says …", "Docs say …"',
    where: 'before',
    pattern: String.raw`(?:^|[^a-z])${sources}(?![a-z])[^,;]{0,40}?(?<![a-z])${reports}(?:${g}that)?[ \t\u0001:,]{0,8}|(?:^|[^a-z])(?:according to|as per|per|from)${g}(?:[\w#-]{1,16}${g}){0,3}${sources}(?![a-z])[^,;]{0,30},?[ \t\u0001]{0,8}`,
  },
  {
    id: 'inversion',
    says: 'a question or a condition by the order of words: "has the user approved", "had the user agreed"',
    where: 'before',
    pattern: `(?:^|[^${l}'])(?:has|had|have|did|does|do|is|was|would|could|should|can|will|may|might|hasn't|didn't|doesn't|isn't)${g}`,
    notRows: ['passive', 'passive-reduced', 'got-approval', 'with-the-user'],
  },
  {
    id: 'condition',
    says: 'if, unless, whether, until and the like',
    where: 'clause',
    pattern: `(?<![${l}-])(?:if|unless|whether|until|till|in case|provided|providing|assuming|as long as|only when|wait(?:ing|s)? for|pending|in the event)(?![${l}-])`,
    unless: `(?<![${l}-])(?:until (?:now|today|recently|then)|if (?:only|i remember|memory serves))[^.]{0,30}$`,
  },
  {
    id: 'once',
    says: 'once it has happened; not "once again"',
    where: 'clause',
    pattern: `(?<![${l}-])once(?![${l}-]|${g}(?:again|more|and for all|(?:a|per) (?:day|week|month|year)))`,
    unless: `(?:at|for|more than)${g}once`,
  },
  {
    id: 'when',
    says: 'a time that has yet to come: "when the user confirmed", "before the owner approved"; a narrated one is a claim',
    where: 'before',
    pattern: `(?:^|[^${l}-])(?:when|whenever|every time|each time|as soon as|before|by the time|the moment|after|where|except where|cases where)(?:${g}that)?${g}`,
    besides: { where: 'rest', pattern: String.raw`^(?!.*,[ \t\u0001]{0,8}(?:we|i|so we|so i)(?![${l}]))` },
  },
  {
    id: 'indirect',
    says: 'an indirect question: what the user decided, which option the user chose',
    where: 'before',
    pattern: String.raw`(?:^|[^${l}-])(?:what(?:ever)?|which(?:ever)?(?:${g}[\w-]+){0,2}|how|why|whom?|whoever|everything|anything|nothing)(?:${g}that)?${g}`,
  },
  {
    id: 'relative',
    says: 'a thing told by the user’s choice of it, in an instruction: "use the layout the user chose"',
    where: 'before',
    pattern: `(?:^|[^${l}-])(?:the|a|an|any|every|each|no|only|those|these|that|its|their|all)${g}(?:[${l}'’-]{1,20}${g}){1,4}(?:(?:that|which)${g})?`,
    unless: `(?:morning|afternoon|evening|night|week|month|year|time|day|end|meantime|call|meeting|chat|thread|review|session|fact)${g}(?:(?:that|which)${g})?`,
    besides: {
      where: 'rest',
      pattern: String.raw`^[ \t\u0001]{0,8}(?:$|[.,;:)\]!?]|(?:is|are|was|were|in|on|at|for|from|earlier|before|last|above|below|during|when|must|should|will|can|with|and|or|yesterday|today|as|into|to)(?![${l}]))`,
    },
    rows: ['chose', 'approved', 'confirmed', 'rejected', 'vetoed', 'okayed', 'greenlit', 'picked', 'decided', 'authorized'],
  },
  {
    id: 'hedge',
    says: 'a guess, not a statement: maybe, presumably, not sure',
    where: 'clause',
    pattern: `(?<![${l}-])(?:maybe|perhaps|possibly|presumably|probably|likely|allegedly|supposedly|apparently|assum(?:e|es|ed|ing|ption)|guess|unclear|unsure|uncertain|not sure|unknown|unverified|unconfirmed|doubts?|seems|looks like|i think|i believe|might be that|could be that|what if|not certain)(?![${l}-])`,
  },
  {
    id: 'denial',
    says: 'it is denied, or nobody may say so: "never write that the user approved"',
    where: 'before',
    pattern: `(?:^|[^${l}])(?:never|don't|do not|doesn't|does not|cannot|can't|must not|mustn't|should not|shouldn't|may not|not|avoid|no|without|isn't|wasn't|false|untrue|wrong)${g}(?:[${l}'-]{1,14}${g}){0,3}?(?:claim|say|state|write|assume|imply|record|report|mean|pretend|evidence|proof|sign|indicat|suggest|assert|true|correct|case|clear|saying|claiming|stating|writing|that|proves?)[${l}]{0,6}(?:${g}(?:that|of))?${g}`,
    unless: `(?:don't|do not|never|not)${g}(?:forget|ignore)${g}that${g}|(?:note|noted|remember)${g}that${g}`,
  },
  {
    id: 'not-before',
    says: 'negated: has not been approved by the user; must have been approved',
    where: 'before',
    pattern: `(?:^|[^${l}])(?:not|never|n't|hasn't|haven't|hadn't|wasn't|weren't|no longer|must|should|may|might|could|would|will|can|to)(?:${g}(?:yet|ever|actually|have|be)){0,2}${g}`,
    rows: ['passive', 'passive-reduced', 'got-approval', 'with-the-user', 'as-the-user-asked', 'at-the-user-s-request'],
  },
  {
    id: 'check',
    says: 'somebody is to find out: "make sure the user approved"',
    where: 'before',
    pattern: `(?:^|[^${l}-])(?:make sure|making sure|be sure|check|checks|verify|verifies|ensure|ensures|validates?|requires?|asserts?|confirm|determine|see|test|expects?|wait for|asks?)(?:${g}(?:that|whether|if))?${g}`,
  },
  {
    id: 'object',
    says: 'the user is not who acts: "sent to the user approved …", "show the user confirmed …"',
    where: 'before',
    pattern: `(?:^|[^${l}-])(?:to|for|of|with|from|by|about|on|like|than|let|lets|show|shows|showed|give|gives|gave|asked|tell|tells|send|sends|sent|notify|notifies|remind|reminds|allow|allows|prompt|prompts|help|helps|make|makes|warn|inform|informs|contact|email)${g}`,
    notRows: [
      'per-the-user',
      'according-to',
      'at-the-user-s-request',
      'with-the-user',
      'got-approval',
      'passive',
      'passive-reduced',
      'as-the-user-asked',
    ],
  },
  {
    id: 'field',
    says: 'the name of a field or column: "the user approved column"',
    where: 'after',
    pattern: String.raw`${g}(?:columns?|fields?|flags?|attributes?|propert(?:y|ies)|timestamps?|badges?|checkbox(?:es)?|toggles?|buttons?|banners?|labels?|callbacks?|handlers?|webhooks?|dialogs?|modals?|enums?|booleans?|bool|param(?:eter)?s?|variables?|counters?|event|state|status|keys?|tags?|toasts?|icons?|metrics?|tooltips?|queues?|tabs?|hooks?|triggers?|at|by)(?=[ \t\u0001]{0,8}(?:$|[.,;:)\]|=])|${g}(?:is|are|was|were|has|have|holds?|stores?|defaults?|must|should|can|will|in|on|of|from|and|or|that|which|shows?|means?|contains?|gets?|when|if|not|fires?)(?![${l}]))`,
    rows: ['decided', 'chose', 'approved', 'confirmed', 'rejected', 'vetoed', 'okayed', 'agreed', 'signed-off', 'picked'],
  },
  {
    id: 'adjective',
    says: 'the word tells what kind of things they are: "user approved templates are stored in …"',
    where: 'after',
    pattern: `${g}[a-z-]+s(?:${g}[a-z-]+s)?${g}(?:are|were|live|go|get|must|should|can|will|need)(?![${l}])`,
    rows: ['approved', 'rejected', 'vetoed'],
  },
  {
    id: 'signed-off-with',
    says: 'signed off with, at, for the day: the end of a letter or a working day',
    where: 'after',
    pattern: `${g}(?:with|at|for the (?:day|night|weekend|evening|week)|from|early|late)(?![${l}])`,
    rows: ['signed-off'],
  },
  {
    id: 'terms',
    says: 'any user’s consent to terms and cookies',
    where: 'after',
    pattern: `${g}(?:to${g})?(?:the${g}|our${g}|its${g}|all${g})?(?:terms (?:of|and)|tos(?![${l}])|privacy policy|cookies?(?![${l}])|eula|data processing)`,
  },
  {
    id: 'own-account',
    says: 'any user’s own account: "the user confirmed their email"',
    where: 'after',
    pattern: String.raw`${g}(?:their|his or her|his\/her)${g}(?:new${g})?(?:e-?mail|password|account|phone|identity|age|subscription|booking|payment|purchase)(?:${g}(?:address|number|details?))?(?=[ \t\u0001]{0,8}(?:$|[.,;)])|${g}(?:by|via|before|after|on|in|and|then|with|from|during|through)(?![${l}]))`,
    rows: ['confirmed', 'approved'],
  },
  {
    id: 'shown-text',
    says: 'words that a program shows: ‘"User approved" is shown in green’',
    where: 'after',
    pattern: String.raw`[^\u0001.]{0,30}\u0001[ \t](?:(?:is|are|was)[ ](?:shown|displayed|logged|printed|returned|sent|a|an)|errors?|messages?|labels?|buttons?|status|events?|badges?|toasts?|banners?|text|string|exceptions?)(?![${l}])`,
    besides: { where: 'before', pattern: String.raw`\u0001[ \t]{0,4}` },
  },
  {
    id: 'arrow',
    says: 'a step of a procedure: "user approved -> go to step 3"',
    where: 'after',
    pattern: `[^.;:]{0,24}?(?:->|=>|→)`,
  },
  {
    id: 'open-decision',
    says: 'a decision that is still open: "The user’s decision: pending"',
    where: 'after',
    pattern: String.raw`[ \t\u0001:]{0,8}(?:pending|tbd|tba|to be (?:decided|made)|open|unknown|none|n\/a|undecided|not (?:yet|needed|required|given)|still|unclear|required|needed|see|\?|\{|<|\[)(?=[ \t\u0001]{0,4}(?:$|[^ \ta-z])|${g}(?:on|until|for|by|below|above|in|from|before|section|page|thread|read-only)(?![${l}]))`,
    rows: ['user-s-decision', 'user-decision', 'user-decision-heading'],
  },
  {
    id: 'instruction',
    says: 'a rule for whoever works: "Only run commands approved by the user"',
    where: 'clause',
    pattern: String.raw`^[ \t\u0001]{0,8}(?:(?:please|always|then|never|only|do not|don't|just|and|you)${g}){0,3}${imperatives}(?![${l}-])|(?<![${l}-])(?:must|should|shall|can|may|needs?|requires?|only|any|every|each|no|without|unless|never|whatever|anything)(?![${l}-])`,
    rows: ['passive-reduced', 'as-the-user-asked', 'at-the-user-s-request', 'got-approval', 'with-the-user'],
  },
  {
    id: 'practice',
    says: 'what is done for any user: "Data is deleted at the user’s request"',
    where: 'clause',
    pattern: String.raw`(?<![${l}-])(?:is|are|gets?|get)${g}(?:[a-z]{2,12}${g})?[a-z]{2,12}(?:ed|en|wn|lt|pt)${g}(?:[\w-]{1,14}${g}){0,3}$`,
    rows: ['at-the-user-s-request', 'as-the-user-asked'],
  },
  {
    id: 'kinds',
    says: 'many things told by who approved them: "orders approved by the user"',
    where: 'before',
    pattern: `[a-z]{2,20}(?<!s)s${g}`,
    rows: ['passive-reduced'],
  },
  {
    id: 'settings',
    says: 'what any user asked for by a setting: "as requested by the user in the preferences"',
    where: 'after',
    pattern: `${g}(?:in|via|through|under|with)${g}(?:the${g}|their${g})?(?:settings?|preferences|options|profile|url|query|params|parameters|request|form|header|cookie|config)(?![${l}])`,
    rows: ['passive', 'passive-reduced', 'as-the-user-asked'],
  },
  {
    id: 'instruction-passive',
    says: 'things told by who approved them: "whatever was approved by the user"',
    where: 'before',
    pattern: `(?:^|[^${l}-])(?:that|which|what|whatever|anything|everything|who|it)(?:${g}(?:has|have|had))?${g}`,
    rows: ['passive'],
    unless: `(?:^|[^${l}-])it(?:${g}(?:has|have|had))?${g}`,
  },
  {
    id: 'others-agreed',
    says: 'we, but with somebody else: the vendor, the team',
    where: 'clause',
    pattern: String.raw`(?<![${l}-])(?:with|at|in|and)${g}(?:the${g}|our${g}|a${g})?(?:[\w-]{2,12}${g})?(?:${other}|meeting|stand-?up|retro|workshop|sync|planning)(?![${l}-])`,
    rows: ['we-agreed'],
  },
  {
    id: 'others-agreed-after',
    says: 'the same, named after the verb',
    where: 'rest',
    pattern: String.raw`(?<![${l}-])with${g}(?:the${g}|our${g})?(?:[\w-]{2,12}${g})?${other}(?![${l}-])`,
    rows: ['we-agreed'],
  },
  {
    id: 'at-home',
    says: 'what somebody does at home or in their own life: "The user insists on oat milk"',
    where: 'after',
    pattern: `[^.;]{0,40}?(?<![${l}-])(?:kids?|sons?|daughters?|wife|husband|dogs?|cats?|sofa|shoes|milk|coffees?|sugar|snacks?|spice|pizzas?|bagels?|lunch|dinner|breakfast|toaster|surgery|knee|wedding|concert|flight|dentist|incumbent|mayor|hotel room|move house|the house)(?![${l}-])`,
    rows: [
      'picked',
      'said-no-to',
      'forbade',
      'authorized',
      'insisted',
      'said-that',
      'wants-all',
      'user-decision',
      'user-and-i',
      'as-the-user-asked',
    ],
  },
]
