// What English knows of claims: whose words, how they are told, what makes them no claim. Data only; `claim-pattern.ts` searches it.
// Each row says what the specification asks of it, in our own words. Seed, "What is checked", sections 3 and 4.

import { englishExemptions } from './english-exemptions.js'
import type { ClaimRow, LanguagePatterns } from './language-patterns.js'

/** Latin letters; the text is in small ones. */
const l = String.raw`a-z\u00aa-\u024f`
/** Between two words. */
const g = String.raw`[ \t\u0001]{1,40}`

const adverbs = [
  'already|explicitly|really|actually|definitely',
  'also|now|just|then|later|since|again|finally|clearly|firmly|strongly|officially|formally|verbally|personally|specifically',
  'recently|previously|today|yesterday|first|initially|originally|ultimately|eventually|subsequently|repeatedly|consistently',
  'directly|himself|herself|themselves|both|all|mutually|jointly|only|simply|kindly|happily|gladly|emphatically|expressly',
  `unequivocally|categorically|flatly|outright|this${g}(?:morning|week|afternoon)|last${g}(?:week|night|month)`,
].join('|')

const auxiliary = `has|had|have|'ve|did${g}indeed|${adverbs}`
const parenthesis = String.raw`(?:[ \t\u0001]{0,40}\([^()]{1,60}\))?`
/** The subject, a parenthesis, adverbs: what the seed lets stand there. */
const between = `${parenthesis}(?:(?:(?<=e)|${g})(?:${auxiliary})){0,5}${g}`
/** Beyond it: an apposition between commas, a verb that comes first ("reviewed and approved"). */
const betweenMore = String.raw`${parenthesis}(?:[ \t\u0001]{0,40},[^,;()]{1,60},)?(?:${g}(?:${auxiliary})){0,5}(?:(?:${g}(?!not|never)[a-z]{2,14}(?:ed|read|saw|met|tried|spoke)(?:${g}[a-z]{1,12}){0,4}|(?<=[a-z])${g}read(?:${g}[a-z]{1,12}){0,3})${g}and(?:${g}(?:${auxiliary})){0,2})?${g}`

const us = '(?:me|us|you|the agent|the assistant|hermes)'
const blessing =
  '(?:approval|okay|ok|blessing|permission|consent|thumbs[ -]?up|green[ -]?light|nod|sign-?off|clearance|authori[sz]ation|go-?ahead)'
const compound =
  '(?:interface|input|id|ids|role|roles|guide|manual|agreement|story|stories|settings?|profile|group|account|name|names|experience|preferences?|research|testing|tests|action|event|flow|agent|table|type|token|session|data|base|count|level|tier|limit|quota|pool|service|management|module|model|segment|feedback|side|space|code|field|roles?|class)'
const participle =
  "(?:approved|confirmed|rejected|vetoed|decided|chosen|picked|requested|signed off(?: on)?|okayed|ok'd|greenlit|green-?lighted|agreed(?: to| on| upon)?|authori[sz]ed|mandated|ordered|instructed|sanctioned|endorsed|declined|turned down|ruled out|accepted|forbidden|banned|demanded|stipulated|cleared|blessed|finali[sz]ed|prohibited|asked for|asked|told)"
const reduced =
  "(?:approved|confirmed|rejected|vetoed|decided|requested|signed[ -]off(?: on)?|okayed|ok'd|greenlit|green-?lighted|authori[sz]ed|mandated|ordered|declined|agreed)"

const claims: readonly ClaimRow[] = [
  { id: 'decided', tier: 1, kind: 'approving', at: 'decided', says: 'the user decided', after: 'decided(?! (?:if|whether))' },
  {
    id: 'chose',
    tier: 1,
    kind: 'approving',
    at: 'chose chosen',
    says: 'the user chose',
    after: String.raw`chose|(?<=\b(?:has|had)\b[^.]{0,40})chosen`,
  },
  { id: 'agreed', tier: 1, kind: 'approving', at: 'agreed', says: 'the user agreed', after: 'agreed' },
  { id: 'approved', tier: 1, kind: 'approving', at: 'approved', says: 'the user approved', after: 'approved' },
  {
    id: 'confirmed',
    tier: 1,
    kind: 'approving',
    at: 'confirmed',
    says: 'the user confirmed',
    after: 'confirmed(?! (?:if|whether))',
  },
  {
    id: 'signed-off',
    tier: 1,
    kind: 'approving',
    at: 'signed signed-off',
    says: 'the user signed off',
    after: `signed(?:${g}|-)off`,
  },
  { id: 'instructed', tier: 1, kind: 'instructing', at: 'instructed', says: 'the user instructed', after: 'instructed' },
  {
    id: 'asked-me-to',
    tier: 1,
    kind: 'instructing',
    at: 'asked',
    says: 'the user asked me to',
    after: `asked${g}me${g}(?:not${g})?to`,
  },
  {
    id: 'told-me-to',
    tier: 1,
    kind: 'instructing',
    at: 'told',
    says: 'the user told me to',
    after: `told${g}me${g}(?:not${g})?to`,
  },
  {
    id: 'wants-us-to',
    tier: 1,
    kind: 'instructing',
    at: 'wants',
    says: 'the user wants us to',
    after: `wants${g}us${g}(?:not${g})?to`,
  },
  {
    id: 'said-to',
    tier: 1,
    kind: 'instructing',
    at: 'said',
    says: 'the user said to do something; not what was said to somebody',
    after: `said${g}to(?!${g}(?:me|us|you|him|her|them|everyone|everybody|the|his|a|an|my)(?![a-z]))`,
  },
  {
    id: 'gave-the-go-ahead',
    tier: 1,
    kind: 'approving',
    at: 'gave given',
    says: 'the user gave the go-ahead',
    after: String.raw`(?:gave|(?<=\b(?:has|had)\b[^.]{0,40})given)${g}(?:(?:me|us|you)${g})?(?:the|a|their|his|her)${g}(?:[a-z]{2,12}${g})?go(?:-|${g})ahead`,
  },
  { id: 'rejected', tier: 1, kind: 'rejecting', at: 'rejected', says: 'the user rejected', after: 'rejected' },
  { id: 'vetoed', tier: 1, kind: 'rejecting', at: 'vetoed', says: 'the user vetoed', after: 'vetoed' },
  {
    id: 'okayed',
    tier: 1,
    kind: 'approving',
    at: "ok'd okd okayed oked ok'ed okay'd okay'ed ok-ed",
    says: "the user OK'd or okayed",
    after: "ok'?d|ok(?:ay)?'?ed|ok-ed",
  },
  { id: 'said-yes-to', tier: 1, kind: 'approving', at: 'said', says: 'the user said yes to', after: `said${g}yes${g}to` },
  { id: 'greenlit', tier: 1, kind: 'approving', at: 'greenlit green-lit', says: 'the user greenlit', after: 'green-?lit' },
  {
    id: 'user-s-decision',
    tier: 1,
    kind: 'approving',
    at: "'s",
    says: 'the phrase "the user\'s decision:" and what was decided',
    after: String.raw`'s${g}(?:[a-z]{3,10}${g})?decision(?:[ \t\u0001]{0,8}[:—–]|${g}(?:is|was)(?:${g}(?:to|that)|[ \t\u0001]{0,8}:))`,
    direct: true,
  },
  {
    id: 'per-the-user',
    tier: 1,
    kind: 'instructing',
    at: 'per',
    says: 'per the user; not per the user’s timezone, not one per user',
    before: String.raw`\bper${g}`,
    after: String.raw`(?<=\bthe${g}(?:user|owner))(?:'s${g}(?:[a-z]{3,10}${g})?(?:decision|request|instructions?|wish(?:es)?|orders?|direction|approval|call|go-ahead|ask|guidance|word|words|say-so)|(?=[ \t\u0001]{0,8}(?:$|[.,:;()\[\]—–])|${g}(?:we|i|you|this|that|all|no|never|always|do|use|on|in|via|today|yesterday|at|earlier|from)\b))`,
  },
  {
    id: 'according-to',
    tier: 1,
    kind: 'instructing',
    at: 'to',
    says: "according to the user's instructions",
    before: String.raw`\baccording${g}to${g}`,
    after: `'s${g}(?:[a-z]{3,10}${g})?(?:instructions?|decisions?|orders?|requests?|wishes|directions?|directives?)`,
  },
  // Beyond the seed.
  {
    id: 'picked',
    tier: 2,
    kind: 'approving',
    at: 'picked selected opted settled went gone going is landed voted made finalized finalised locked resolved committed set postponed delayed moved capped froze',
    says: 'picked, opted for, settled on, went with',
    after: `picked(?!${g}up)|is${g}(?:sticking${g}with|set${g}on(?!${g}(?:fire|edge)))(?![a-z])|(?:postponed|delayed|moved)${g}(?:the|our)${g}(?:[a-z]{2,12}${g})?(?:launch|release|migration|deadline|roll-?out|redesign|deployment|go-live)(?![a-z]|${g}(?:notes?|reminders?|files?|branch|folder|tag))|(?:capped|froze)${g}(?:the|our)${g}(?:[a-z]{2,12}${g})?budget(?![a-z])|selected(?=${g}the${g}(?!(?:option|item|row|file|date|language|tab|plan|button|menu|text|field|checkbox|cell|image|theme|folder|country|currency|product|seat|slot|range|first|last|wrong|default|correct|same|next|previous|right|left)(?![a-z]))|${g}[^.;,]{1,40}${g}(?:over|instead${g}of)(?![a-z]))|opted${g}(?:for|to|against)|settled${g}(?:on|for(?!${g}(?:less|more)(?![a-z])))|(?:went|gone|going|is${g}going)${g}with(?!${g}(?:his|her|their|him|them|me|friends|family|the${g}family|a${g}friend)(?![a-z]))|landed${g}on(?!${g}(?:the|a|our)${g}(?:[a-z]{2,12}${g})?(?:page|screen|site)(?![a-z]))|voted${g}(?:for|to|against)|made${g}(?:the|his|her|their|up)${g}(?:(?:final|his|her|their)${g})?(?:call|decision|choice|mind)|finali[sz]ed|locked${g}in|resolved${g}to|is${g}in${g}favou?r${g}of|committed${g}to|set${g}(?:the|a|our)${g}(?:[a-z]{2,12}${g})?(?:deadline|limit|budget|cap|target|rule|policy)(?!${g}(?:alert|reminder|alarm|warning)s?(?![a-z]))`,
  },
  {
    id: 'said-no-to',
    tier: 2,
    kind: 'rejecting',
    at: "said turned declined ruled shot nixed scrapped objected opposed refused dismissed is put does doesn't pulled axed killed shelved cancelled canceled gave",
    says: 'said no to, turned down, ruled out',
    after: String.raw`(?:axed|killed|shelved|cancell?ed)${g}(?:the|our)${g}(?:[a-z]{2,12}${g})?(?:idea|feature|project|launch|release|redesign|migration|roll-?out|newsletter|campaign|proposal|(?<!cancell?ed${g}(?:the|our)${g}(?:[a-z]{2,12}${g})?)plan)(?![a-z]|${g}(?:notes?|subscription|process|e-?mails?|job|task|run|by|via|in))|gave${g}a${g}(?:[a-z]{2,12}${g})?no${g}to(?![a-z])|put${g}(?:his|her|their)${g}foot${g}down|said${g}no(?![a-z-]|${g}(?:one|more|longer|problem))|turned${g}(?!the${g}(?:volume|heat|music|brightness|sound|lights?|heating)(?![a-z]))(?:[a-z]{2,10}${g}){0,2}down|declined(?!${g}(?:calls?|invit[a-z]*|an?|the${g}(?:call|invit[a-z]*|cookies?))(?![a-z]))|ruled${g}(?:[a-z]{2,12}${g}){0,2}out|ruled${g}against|shot${g}(?!(?:the|a)${g}(?:video|film|photos?|movie)(?![a-z]))(?:[a-z]{2,12}${g}){0,2}down|nixed|scrapped${g}the${g}(?:[a-z]{2,14}${g})?(?:idea|plan|feature|project|launch|release|redesign)|objected${g}to|refused${g}to${g}(?:let|allow|approve|pay|sign|accept|use|ship|merge|add|support|give|grant)|dismissed${g}the|is${g}(?:strictly${g}|firmly${g})?(?:against|opposed${g}to)(?=${g}(?:[a-z]{2,14}ing|any)(?![a-z]))|put${g}(?:a${g}stop${g}to|the${g}kibosh)|(?:does${g}not|doesn't)${g}want(?:${g}to${g}(?:use|ship|deploy|go|merge|release|add|include|support|offer|publish))?(?=${g}(?:any|us|me|you|the|to|a)\b)|pulled${g}the${g}plug(?!${g}of(?![a-z]))`,
  },
  {
    id: 'forbade',
    tier: 2,
    kind: 'rejecting',
    at: "forbade forbids forbidden banned bans prohibited prohibits disallowed disallows does doesn't won't will did didn't never said",
    says: 'forbade, banned, does not allow',
    after: String.raw`forbade|forbids|(?<=\b(?:has|had)\b[^.]{0,40})forbidden|banned|bans|prohibit(?:ed|s)|disallow(?:ed|s)|(?:does${g}not|doesn't|won't|will${g}not|did${g}not|didn't)${g}(?:allow|permit|tolerate)|(?:won't|will${g}not)${g}accept|never${g}(?:wants|allows)|said${g}never`,
  },
  {
    id: 'authorized',
    tier: 2,
    kind: 'approving',
    at: 'authorized authorised greenlighted green-lighted endorsed consented cleared allowed permitted accepted gave gives given granted said is was no sees thumbs-upped blessed answered replied responded signed waived',
    says: 'authorised, gave approval, is fine with',
    after: `authori[sz]ed|(?:gave${g}a${g}(?:[a-z]{2,12}${g})?|(?:answered|replied|responded)${g})yes${g}to(?![a-z]|${g}(?:the|a|our)${g}(?:survey|question|prompt|quiz|poll)|${g}question)|signed${g}(?:the|our|this)${g}(?!forms?${g}|papers?${g})[a-z]{2,12}${g}off(?![a-z-]|${g}site)|waived${g}the${g}(?:[a-z]{2,12}${g})?(?:review|requirement|fee|rule|approval|freeze)(?![a-z])|green-?lighted|endorsed|consented|cleared${g}(?:${us}|the)(?!${g}(?:[a-z]{2,10}${g})?(?:cache|table|history|cookies|desk|screen|queue|log|logs|inbox)(?![a-z]))|allowed${g}${us}|permitted${g}${us}|accepted${g}(?:the|our|my|this|that)${g}(?:[a-z-]{2,14}${g}){0,2}(?:plan|proposal|offer|risk|design|trade-?off|quote|budget|recommendation|suggestion|approach|change|estimate|deal|idea)s?|(?:gave|gives|given|granted)${g}(?:${us}${g})?(?:[a-z]{1,9}${g}){0,3}${blessing}(?!${g}(?:errors?|denied|forms?|slips?|to${g}the${g}(?:camera|microphone|browser)|to${g}hand|at${g}the${g}wedding)(?![a-z]))|said${g}(?:that${g})?(?:it's|it${g}is|that's|it${g}was|this${g}is)${g}(?:ok|okay|fine|alright|good)|said${g}(?:ok|okay|go${g}(?:ahead|for${g}it)|yes|"?do${g}it)|(?:is|was)${g}(?:(?:ok|okay|fine|cool|comfortable|on${g}board)${g}with|(?:happy|good)${g}with(?=${g}[a-z]{2,14}ing(?![a-z]))|(?:ok|okay|fine|happy|good)${g}for${g}(?:us|you|me)${g}to)|(?:sees${g})?no${g}(?:objections?|problem|issues?)${g}(?:to|with)|thumbs-?upped|blessed`,
  },
  {
    id: 'insisted',
    tier: 2,
    kind: 'instructing',
    at: 'insisted insists demanded demands mandated mandates ordered commanded directed stipulated stipulates dictated decreed ruled requested requests requires required asked told made instructs specified is was reminded warned',
    says: 'insisted, demanded, ordered, requires that, told us to',
    after: `insist(?:ed|s)(?:${g}(?:on|that|we))?|demand(?:ed|s)${g}(?:that|all|every|no|zero|we)|mandate[ds](?!${g}reporter)|(?:ordered|commanded|directed)${g}(?:${us}|that(?=${g}(?:all|every|each|no|we|i|it|the|any|nothing|only|our|this)(?![a-z])))|stipulate[ds]|specified${g}that|(?:is|was)${g}(?:adamant|clear)${g}that|(?:reminded|warned)${g}${us}${g}(?:to${g}(?:never|always|not)|not${g}to|never${g}to)|dictated(?!${g}(?:a|an|the)${g}(?:letter|note|message|memo|e-?mail|text)(?![a-z]))|decreed|ruled${g}that|request(?:ed|s)${g}(?:that|we|all|no|every|not)|require[ds]${g}(?:that|us|all|every|each|no)|asked${g}(?:us|you|that|the${g}(?:agent|assistant)|hermes|for${g}all|not|never)(?!${g}(?:about|if|whether|what|how|why|for))|told${g}(?:us|you|the${g}(?:agent|assistant)|hermes)${g}(?:not${g}|never${g}|always${g})?to|told${g}${us}${g}(?:that${g})?(?:never|not|always|(?:we|i)${g}(?:should|must|can|may))|made${g}(?:it${g}clear(?:${g}that)?|clear(?=${g}(?:that|we|no|to)(?![a-z])|[ ]{0,3}:))|instructs`,
  },
  {
    id: 'said-that',
    tier: 2,
    kind: 'instructing',
    at: 'said says',
    says: 'said we should, said from now on, said not to',
    after: `says${g}(?:to|not${g}to(?!${g}(?:worry|bother)(?![a-z]))|never(?!${g}mind(?![a-z]))|no${g}to|we${g}(?:should|must))(?![a-z])(?!${g}(?:me|us|you))|said${g}(?:that${g})?(?:(?:we|you|the${g}(?:agent|assistant)|hermes)${g}(?:[a-z]{2,10}${g})?(?:should|must|can|may|need|have${g}to|has${g}to|will|shall|cannot|can't|shouldn't|mustn't|are${g}(?:not|going))|from${g}now${g}on|(?:not${g}to|do${g}not|don't)(?!${g}(?:worry|bother|mind|panic)(?![a-z]))|always(?!${g}[a-z]{2,14}ing(?![a-z]))|no${g}more(?!${g}(?:snacks|sweets|coffee)(?![a-z]))|henceforth|all${g}[a-z]{2,14}${g}(?:must|should))`,
  },
  {
    id: 'wants-all',
    tier: 2,
    kind: 'instructing',
    at: 'wants would',
    says: 'wants all of something so, wants me to',
    after: String.raw`would${g}like${g}(?:${us}${g}(?:not${g})?to|all|every|no)(?![a-z])|wants${g}(?:(?:all|every|each|no|only|both|any|everything|nothing|zero)\b|${us}${g}(?:not${g})?to|[^.,;:()]{1,60}?${g}(?:to${g}(?:be|stay|remain)|kept|moved|done|removed|renamed|delayed|disabled|enabled|written|formatted|dropped|merged|postponed|reverted|archived|sent|signed|reviewed|tested)(?![a-z])|to${g}(?:go(?!${g}(?:home|out|there|abroad|shopping|hiking|to${g}(?!prod|market|live)))|stick|move${g}(?:forward|ahead)|proceed)(?![a-z]))`,
  },
  {
    id: 'user-decision',
    tier: 2,
    kind: 'approving',
    at: "'s",
    says: 'the decision under another word: "the owner’s call:"',
    after: String.raw`'s${g}(?:[a-z]{3,10}${g})?(?:approval|verdict|ruling|directive|go-ahead|sign-?off|final${g}(?:call|word)|choice|call|pick|orders?)s?(?:[ \t\u0001]{0,8}[:—–]|${g}(?:is|was)${g}(?:to|that)\b)`,
    direct: true,
  },
  {
    id: 'user-decision-heading',
    tier: 2,
    kind: 'approving',
    at: 'decision decisions approval approvals verdict ruling directive directives go-ahead sign-off signoff final',
    says: 'the same as a bare heading: "User decision: …"',
    after: String.raw`(?:(?:decision|approval|directive)s?|verdict|ruling|go-ahead|sign-?off|final${g}(?:decision|call|choice))[ \t\u0001]{0,8}[:—–]`,
  },
  {
    id: 'we-agreed',
    tier: 2,
    kind: 'approving',
    at: 'agreed',
    says: 'we agreed to, on or that',
    subject: 'we',
    after: `agreed${g}(?:with${g}the${g}(?:user|owner)${g})?(?:to(?!${g}disagree)|on|that|not|never|upon|we)`,
  },
  {
    id: 'as-the-user-asked',
    tier: 2,
    kind: 'instructing',
    at: 'as by with',
    says: 'as the user asked, as requested by the user',
    before: String.raw`(?<!\b(?:soon|long|far|much|many|well|same|just|such)${g}(?:[a-z]{1,12}${g})?)\bas${g}(?:(?:${adverbs})${g}){0,2}(?:(?:requested|instructed|decided|agreed|directed|ordered|asked|approved|specified|confirmed|wanted)${g}(?:by|with)${g})?`,
    after: String.raw`(?:(?<=\b(?:by|with)${g}(?:the${g})?(?:user|owner))(?!${g}${compound}(?![a-z]))|(?:${g}(?:${auxiliary})){0,3}${g}(?:asked|requested|instructed|wanted|said|told${g}${us}|specified|directed|ordered|wished|insisted|preferred|demanded|put${g}it)(?!${g}(?:for|about)\b))`,
  },
  {
    id: 'passive',
    tier: 2,
    kind: 'approving',
    at: 'by',
    says: 'was approved by the user, has been signed off by the owner',
    before: String.raw`\b(?:was|were|been|got)${g}(?:(?:${adverbs})${g}){0,3}${participle}${g}by${g}`,
    after: String.raw`(?!${g}${compound}(?![a-z])|[ ]?#?\d)`,
  },
  {
    id: 'passive-reduced',
    tier: 2,
    kind: 'approving',
    at: 'by',
    says: 'the same without a verb before it: "approved by the user", "Approved by user:"',
    before: String.raw`(?<!\b(?:be|being|is|are|not|never|isn't|aren't|was|were|been|got)${g}(?:[a-z]{2,12}${g})?)(?<![${l}0-9_-])${reduced}${g}by${g}`,
    after: String.raw`(?!${g}${compound}(?![a-z]))(?=[ \t\u0001]{0,8}(?:$|[.,;:()\]—–])|${g}(?:on|in|at|for|via|today|yesterday|this|last|with|and|but|because|to)\b)`,
  },
  {
    id: 'at-the-user-s-request',
    tier: 2,
    kind: 'instructing',
    at: 'at on by under upon following with per',
    says: "at the user's request, with the owner's approval",
    before: String.raw`\b(?:at|on|by|under|upon|following|with|per|based${g}on)${g}`,
    after: String.raw`'s${g}(?:[a-z]{3,12}${g}){0,2}(?:requests?|insistence|instructions?|orders?|command|say-so|approval|blessing|go-ahead|okay|ok|sign-?off|decision|call|behest|directive)(?!${g}(?:form|flow|id|page|queue|object|body|header|handler|only)\b)`,
  },
  {
    id: 'got-approval',
    tier: 2,
    kind: 'approving',
    at: 'got received obtained secured have has had from',
    says: "got the user's approval, has the owner's permission",
    before: String.raw`\b(?:got|received|obtained|secured|have|has|had)${g}(?:(?:[a-z]{2,9}${g}){0,3}${blessing}${g}(?:[a-z]{2,12}${g}){0,6}from${g})?`,
    after: String.raw`(?:(?<=\bfrom${g}(?:the${g})?(?:user|owner))|'s${g}(?:[a-z]{3,10}${g}){0,2}${blessing}${g}(?:to(?!${g}hand)|for|on)(?![a-z]))`,
  },
  {
    id: 'with-the-user',
    tier: 2,
    kind: 'approving',
    at: 'with',
    says: 'agreed with the user, I confirmed it with the owner',
    before: String.raw`(?:^|[.:,(—–]|\b(?:was|were|been|i|we|i've|we've|i${g}have|we${g}have|already|and))[ \t\u0001]{0,8}(?:(?:${adverbs})${g}){0,2}(?:agreed|confirmed|cleared|decided|settled|aligned)${g}(?:[a-z]{2,12}${g}){0,3}with${g}`,
    after: `(?!${g}${compound}(?![a-z]))`,
  },
  {
    id: 'decision-of-the-user',
    tier: 2,
    kind: 'approving',
    at: 'by of from was',
    says: 'it was the user\'s decision to …, "Decision by user: …"',
    before: `(?:^|[^${l}])(?:(?:decision|call|approval|sign-?off|verdict|request|order|instruction)s?${g}(?:of|by|from)|was)${g}`,
    after: String.raw`(?:(?<=\bwas${g}(?:the${g})?(?:user|owner))'s${g}(?:decision|call|choice|idea)${g}(?:to(?!${g}make)|that|not)|(?<=\b(?:by|of|from)${g}(?:the${g})?(?:user|owner))[ \t\u0001]{0,8}[:—–])`,
  },
  {
    id: 'user-and-i',
    tier: 2,
    kind: 'approving',
    at: 'and',
    says: 'the user and I agreed',
    after: `and${g}(?:i|me|we|the${g}(?:agent|assistant)|hermes)(?:${g}(?:${auxiliary})){0,3}${g}(?:agreed|decided|settled|chose|confirmed|aligned)`,
  },
  // With the wider scope only.
  {
    id: 'prefers',
    tier: 1,
    kind: 'preference',
    at: 'prefers preferred likes loves dislikes hates favors favours',
    says: 'the user prefers or likes; only where preferences need quotes too',
    after: 'prefers|preferred|likes|loves|dislikes|hates|favou?rs',
  },
  {
    id: 'user-s-preference',
    tier: 2,
    kind: 'preference',
    at: "'s",
    says: "the user's preference is",
    after: String.raw`'s${g}(?:[a-z]{3,10}${g})?preference(?:[ \t\u0001]{0,8}[:—–]|${g}is(?![a-z]))`,
    direct: true,
  },
]

/** Words that may stand before a bare "user" and leave it the user: any other makes it somebody else, as in "repo owner". */
const openers = [
  'the|my|and|but|or|so|then|that|because|since|as|when|whenever|after|before|although|though|while|whereas|where|if|unless|until',
  'till|once|whether|today|yesterday|now|later|finally|also|however|therefore|thus|hence|again|earlier|previously|recently|still',
  'initially|originally|eventually|ultimately|instead|meanwhile|afterwards|only|note|noted|remember|fyi|per|by|with|from|to',
  'says|said|shows|confirmed|monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|may|june|july',
  'august|september|october|november|december|me|us|it|yes|ok|okay|done|update|reminder|status|context|btw|usually|normally',
  'is|was|has|had|did|does|do|will|would|can|could|should|may|might|not|maybe|perhaps|probably|possibly|presumably|apparently',
  'what|which|how|why|everything|anything|whatever|accordingly|docs?|here|there|yet|nor|than|except|of|for|let|ask|tell|show|give',
].join('|')

export const english: LanguagePatterns = {
  language: 'en',
  mayHold: /user|owner|human|agreed/i,
  subjects: String.raw`(?<![${l}0-9_'@#/.-])(?:(?:the|my)[ \t\u0001]{1,40}(?:user|owner)|user|owner|my[ \t]{1,40}(?:human|boss)|(we)|(NAMES))(?![${l}0-9_@/-]|\.[a-z])`,
  strangers: String.raw`(?<![${l}0-9'_.-])(?!(?:${openers})[ \t]{1,40})(?:[${l}][${l}0-9'_.-]{0,40}|\d+(?:st|nd|rd|th))[ \t]{1,40}(?:user|owner)$`,
  between: { pattern: between, at: new RegExp(`^(?:${auxiliary.replaceAll(g, ' ')}|'ve|\\()$|^(?:this|last)$`) },
  betweenMore: { pattern: betweenMore, at: /^,|(?:ed|read|saw|met|tried|spoke)$/ },
  word: /(?:'ve|'s|[a-z][a-z'-]{0,18})/,
  directAt: "'s",
  claims,
  exemptions: englishExemptions,
  contrast: String.raw`\b(?:but|however|yet|although|though|whereas|nevertheless|nonetheless|instead|anyway|otherwise)\b(?!$)|;|[—–]|[ ]-[ ]|[.!?。]["')\u0001]{0,3}[ \t]`,
  asks: String.raw`\?[*_ \t]*$`,
  tag: String.raw`(?:[,—–(-]|\.\.\.)[ \t\u0001]{0,8}(?:ok|okay|right|yes|yeah|correct|no|eh|huh|good|deal|fine|agreed|remember|(?:is|has|did|does)n't (?:it|he|she|they|that))[ \t]{0,3}\?+$|,[ \t\u0001]{0,8}(?:so |and |but )?(?:should|shall|can|could|do|does|is|are|which|what|when|who|how|why|where|would|will)\b[^,]{0,140}\?+$`,
  negation: String.raw`^[^,;:("“「\u0001]{0,90}?(?<![a-z-])(?:not|never|no|none|nothing|without|against|don't|doesn't|won't|can't|cannot|mustn't|shouldn't|isn't|avoid|stop|neither|nor)(?![a-z-])`,
  ends: `(?![${l}0-9_-]|'[a-z])`,
  names: [
    {
      needs: /\(/,
      pattern:
        /(?<![\p{L}\p{N}_-])(?:[Tt]he |[Mm]y )?(?:[Uu]ser|[Oo]wner) ?\((?:named |called )?(?<name>\p{Lu}[\p{Ll}’'-]{1,20}(?: \p{Lu}[\p{Ll}’'-]{1,20})?)\)/u,
    },
    {
      needs: /[(,] ?(?:the |our |my )(?:user|owner)[),]/,
      pattern:
        /(?<![\p{L}\p{N}_-])(?<name>\p{Lu}[\p{Ll}’'-]{1,20}(?: \p{Lu}[\p{Ll}’'-]{1,20})?) ?(?:\(|, ?)(?:the |our |my )(?:user|owner)(?:\)|,)/u,
    },
    {
      needs: /called|name/,
      pattern: /(?<![\p{L}\p{N}_-])(?:[Uu]ser|[Oo]wner)(?:'s name)? is (?:called |named )(?<name>\p{Lu}[\p{Ll}’'-]{1,20})/u,
    },
    {
      needs: /name/,
      pattern: /(?<![\p{L}\p{N}_-])(?:[Uu]ser|[Oo]wner)(?:'s)? name(?: is|:) (?<name>\p{Lu}[\p{Ll}’'-]{1,20})/u,
    },
    {
      needs: /(?:[Uu]ser|[Oo]wner),? [A-Z]/,
      pattern:
        /(?<![\p{L}\p{N}_-])(?:[Tt]he )?(?:[Uu]ser|[Oo]wner),? (?<name>\p{Lu}[\p{Ll}’'-]{1,20}),? (?=(?:has |had |also |already |explicitly )?(?:decided|chose|agreed|approved|confirmed|signed|instructed|asked|told|wants|said|gave|rejected|vetoed|okayed|greenlit|picked)\b)/u,
    },
  ],
}
