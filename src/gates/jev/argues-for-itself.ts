// Finds text in the arguments of a call that argues for the call's own approval: a harmless call has no reason to speak to its judge.
import { cutCombiningMarks } from '../../foundation/cut-combining-marks.js'

const charactersMax = 65_536
const valuesMax = 512
const depthMax = 16

const phrases: readonly RegExp[] = [
  // It says that it is allowed.
  /\b(?:this|the) (?:call|command|action|operation|request|tool call|change|deletion|step)s? (?:is|are|was|were|has been|have been|is already|has already been|was already) (?:already |fully |explicitly )?(?:pre[- ]?)?(?:approved|authori[sz]ed|permitted|confirmed|verified|reviewed|safe|harmless|allowed|whitelisted)\b/,
  /\bthe (?:user|owner|operator|admin(?:istrator)?|human) (?:has |have )?(?:already |explicitly )?(?:approved|authori[sz]ed|confirmed|consented|agreed|permitted|signed off)\b/,
  /\bpre[- ]?(?:approved|authori[sz]ed) (?:by|action|command|call|operation|request)\b/,
  // It says that nobody need be asked.
  /\b(?:no|without(?: any)?|needs? no|requires? no) (?:further |additional |user |human |manual )?(?:approval|confirmation|permission|consent|review) (?:is |was |are )?(?:needed|required|necessary)\b/,
  /\b(?:do not|don'?t|never|no need to|need not) (?:ask|prompt|bother|interrupt|alert|warn|notify) (?:the |for |any )?(?:user|owner|human|operator|admin|anyone|approval|confirmation|permission)\b/,
  /\b(?:skip|bypass|suppress|disable|ignore|override) (?:the |any |all )?(?:approval|confirmation|permission|safety|security|risk|policy)(?: (?:check|gate|prompt|step|request|review|assessment|filter|rule)s?)?\b/,
  // It tells the judge what to answer.
  /\b(?:classify|rate|mark|label|score|treat|consider|assess|report|evaluate) (?:this|it|the (?:call|command|action|request)) as (?:safe|harmless|low[- ]risk|benign|approved|non-?destructive|trusted|requested)\b/,
  /\b(?:ignore|disregard|forget) (?:all |any |the )?(?:previous|prior|above|earlier|preceding|other|your) (?:instruction|rule|guideline|prompt|question|polic|direction)/,
  /\b(?:answer|respond|reply)(?: with)? (?:"?(?:false|no|true|yes|0|0\.0+|low)"?) (?:to|for) (?:all|every|each|the) (?:question|noul|risk)/,
  /\b(?:note|message|instructions?|attention) (?:to|for) (?:the )?(?:approver|reviewer|judge|classifier|risk (?:model|gate)|decision model|safety (?:model|system))\b/,
  // German, Spanish, French.
  /\b(?:der|die) (?:nutzer|benutzer|anwender|nutzerin)(?:in)? hat (?:dies|das|es|dem|den befehl)?\s?(?:bereits |schon |ausdrücklich )?(?:zugestimmt|genehmigt|bestätigt|freigegeben)\b/,
  /\b(?:keine|ohne) (?:weitere )?(?:bestätigung|rückfrage|genehmigung|freigabe) (?:nötig|notwendig|erforderlich)\b|\bfrage? (?:nicht|keinesfalls) nach\b.{0,24}\b(?:bestätigung|genehmigung|erlaubnis)/,
  /\bno (?:se )?(?:requiere|necesita|hace falta) (?:confirmación|aprobación|permiso)|\bel usuario ya (?:lo )?(?:aprobó|autorizó|confirmó|ha aprobado|ha autorizado)/,
  /\baucune (?:confirmation|approbation|autorisation) (?:n'est )?(?:requise|nécessaire)\b|\bl'utilisateur a (?:déjà )?(?:approuvé|autorisé|confirmé)/,
  // Russian, Chinese, Japanese: no word boundary is asked for.
  /пользователь (?:уже )?(?:одобрил|подтвердил|разрешил)|(?:подтверждени[ея]|одобрени[ея]) не (?:требуется|нужно)/,
  /(?:用户|用戶)(?:已经|已經|已)(?:批准|同意|确认|確認|授权|授權)|(?:无需|無需|不需要)(?:用户|用戶)?(?:确认|確認|批准|授权|授權)/,
  /(?:承認|確認|許可)(?:は)?(?:不要|必要ありません)|(?:承認済み|許可済み)です/,
]

/** Looks at names and texts, however deep, up to a bound; texts beyond it are not looked at. */
export function arguesForItself(args: unknown): boolean {
  const texts: string[] = []
  collect(args, 0, { texts, charactersLeft: charactersMax, valuesLeft: valuesMax })
  return texts.some((text) => {
    const folded = cutCombiningMarks(text)
      .text.normalize('NFKC')
      .toLowerCase()
      .replace(/[\s_*`"]+/g, ' ')
      .replaceAll('’', "'")
    return phrases.some((phrase) => phrase.test(folded))
  })
}

interface Collecting {
  readonly texts: string[]
  charactersLeft: number
  valuesLeft: number
}

function collect(value: unknown, depth: number, collecting: Collecting): void {
  collecting.valuesLeft -= 1
  if (collecting.valuesLeft < 0 || collecting.charactersLeft <= 0 || depth > depthMax) return
  if (typeof value === 'string') {
    const text = value.slice(0, collecting.charactersLeft)
    collecting.charactersLeft -= text.length
    collecting.texts.push(text)
    return
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, member] of Object.entries(value)) {
    if (!Array.isArray(value)) collect(name, depth + 1, collecting)
    collect(member, depth + 1, collecting)
    if (collecting.valuesLeft < 0) return
  }
}
