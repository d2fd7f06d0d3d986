// Which characters are of a script that is written without blanks between words: one class for the whole rule, to be put into patterns.

/** A character class for a pattern with the flag `u` or `v`. The long-vowel mark belongs to no one script, and to this class. */
export const cjkCharacter = '[\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}ー]'

export const oneCjkCharacter = new RegExp(cjkCharacter, 'u')
