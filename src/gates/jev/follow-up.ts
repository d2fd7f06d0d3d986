// Knows messages that only make sense after what was said before: `yes, do it`, `fix them`, `again`. Then the text alone does not say what may
// be done. Wrong in one direction it asks once too often, wrong in the other it lets a scope be made up.
import { cutCombiningMarks } from '../../foundation/cut-combining-marks.js'

/** Begin a message that agrees to, or goes on with, something that stands elsewhere; a word boundary must follow. */
const openings = [
  // English.
  'yes, yep, yeah, yup, ok, okay, continue, proceed, resume, go on, go ahead, sure thing, sure, carry on, keep going, do so, sounds good, looks good, lgtm',
  // German.
  'ja, weiter, weitermachen, mach weiter, mach es so, jawohl, einverstanden, passt so, leg los, nur zu',
  // Spanish, Portuguese, French, Italian.
  "sí, continúa, adelante, sigue así, sim, prossiga, pode continuar, oui, d’accord, d'accord, continuez, vas-y, allez-y, sì, va bene, procedi, continua pure",
  // Dutch, Swedish, Polish, Czech, Turkish, Indonesian, Vietnamese.
  'ga door, ga verder, fortsätt, kontynuuj, pokračuj, evet, tamam, devam et, lanjutkan, tiếp tục',
  // Russian, Ukrainian.
  'да, продолжай, продолжайте, давай, так і зроби, продовжуй',
].flatMap((line) => line.split(', '))

/** The whole message. In scripts without blanks there is no word boundary to look for. */
const wholes: ReadonlySet<string> = new Set(
  [
    'it, that, this, those, these, them, again, too, same, same again, the same, the same again, same thing, same here, more, next, the next one, both, all, all of them, everything, as before, like before, like last time, undo, redo, retry, try again, once more, one more time, and now, now, go, do, fine, great, agreed, approved, confirmed, y, +1',
    'das, dies, nochmal, noch einmal, ebenso, dasselbe, das gleiche, genauso, alles, alle, beide, wie vorher, wie eben, und jetzt, gut, in ordnung, klar, bestätigt',
    'si, vale, claro, dale, de acuerdo, hazlo, otra vez, lo mismo, todo, isso, de novo, o mesmo, tudo bem, pode ser, faça isso, ça, encore, encore une fois, la même chose, pareil, fais-le, bien, fallo, ancora, di nuovo, lo stesso, ok così, certo',
    'nog een keer, hetzelfde, doe het, samma igen, gör det, tak, dalej, zrób to, jeszcze raz, ano, znovu, aynen, yap, tekrar, ya, lanjut, lagi, vâng, ừ, làm đi',
    'ага, хорошо, ладно, ещё раз, еще раз, то же самое, сделай это, так, добре, ще раз',
    '好, 好的, 好吧, 好啊, 是, 是的, 对, 對, 行, 可以, 没问题, 沒問題, 继续, 繼續, 继续吧, 再来一次, 再來一次, 同样, 同樣, 同意, 确认, 確認, 嗯, 就这样, 就這樣, 照做',
    'はい, うん, お願いします, お願い, 続けて, 続けてください, もう一度, 同じ, 同じく, それ, やって, そうして, オーケー',
    '네, 예, 응, 계속, 계속해, 계속해줘, 다시, 좋아, 좋아요, 그렇게 해, 그거, 해줘',
    'نعم, استمر, تابع, حسنا, موافق, مرة أخرى, हाँ, हां, जी, ठीक है, जारी रखो, फिर से, כן, המשך, שוב, ใช่, ต่อ, ναι, συνέχισε',
  ].flatMap((line) => line.split(', ')),
)

const verbs =
  'do|fix|run|change|delete|undo|redo|repeat|retry|revert|remove|update|rename|send|push|merge|deploy|commit|apply|restart|start|stop|install|drop|clean|publish|move|make|try|use|finish|build|test|approve|mach|ändere|lösche|starte|nimm|schick|sende|entferne|behebe|repariere|wiederhole|führe'
const objects =
  'it|that|this|them|these|those|all|everything|it all|the same|the rest|das|dies|diese|es|sie|alles|den rest|das gleiche|dasselbe'
const politeness = 'please|bitte'
const trailing = 'please|bitte|too|again|now|then|auch|nochmal|noch einmal|jetzt|aus|rückgängig'

const openingPattern = new RegExp(`^(?:${openings.map(escaped).join('|')})(?![\\p{L}\\p{N}\\p{M}_]|-[\\p{L}\\p{N}])`, 'u')
const verbAndObject = new RegExp(`^(?:(?:${politeness}) )?(?:${verbs}) (?:${objects})(?: (?:${trailing}))*$`, 'u')
const testsAgain = /^(?:run|do|rerun) (?:the )?(?:tests?|checks?|build|linter|suite)(?: (?:too|again))$/
/** Signs of agreement, and nothing else. */
const onlySigns =
  /^[\u{1F44D}\u{1F44C}\u{1F197}\u{1F44F}\u{1F64F}\u{1F4AF}\u{1F680}\u{1F91D}\u{1F642}\u{1F600}\u2705\u2714\u2713\u2611 ]+$/u
/** What only says how such a sign looks. */
const signLooks = /[\u{1F3FB}-\u{1F3FF}]|\uFE0F|\u200D/gu

/** Whether the text alone does not say what may be done. */
export function isFollowUp(text: unknown): boolean {
  if (typeof text !== 'string') return true
  const said = normalised(text)
  if (said === '') return true
  return (
    openingPattern.test(said) ||
    verbAndObject.test(said) ||
    testsAgain.test(said) ||
    wholes.has(said) ||
    onlySigns.test(said.replace(signLooks, ''))
  )
}

/** One form for each letter, lower case, and blanks for the signs between and behind sentences. */
function normalised(text: string): string {
  return cutCombiningMarks(text)
    .text.normalize('NFC')
    .toLowerCase()
    .replace(/[.!?,;…¡¿。！？，、；،؟।]+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
