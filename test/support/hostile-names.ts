// Names that somebody chose to do harm with: markup, links, escapes for terminals, characters that hide or turn the reading order.
import fc from 'fast-check'

export const hostileNames = [
  '<script>alert(1)</script>',
  '</style></title><img src=x onerror=alert(1)>',
  '"><a href="javascript:alert(1)">x</a>',
  "' onmouseover='alert(1)",
  '&lt;b&gt; &amp; &#x3c;',
  'a|b|c',
  'a\nb\r\nc',
  '| --- |\n# heading',
  '`code` ``more``',
  '[text](javascript:alert(1))',
  '![i](http://example.com/x.png)',
  'https://example.com www.example.com mail@example.com @somebody #1',
  '\u001b[2J\u001b[31mred',
  '\u009b31m\u0007\u0000\u007f',
  'abc\u202egnp.exe',
  '\u2067rtl\u2069',
  'ter\u200bminal\ufeff\u2060\u00ad',
  'a\u200db\u200c',
  '\u2028\u2029\u0085',
  '\ud800 lone \udc00',
  '{{template}} {value} {a|b} %s',
  '__proto__',
  'constructor',
  'toString',
  '---',
  '- item',
  '1. item',
  '   ',
  '',
  '會議記錄'.repeat(40),
  '\u{1f600}'.repeat(100),
]

export const anyHostileName = fc.oneof(
  fc.constantFrom(...hostileNames),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(fc.constantFrom(...'<>&"\'`|\\[]()!#*_~-\n\r\t :/@', '\u001b', '\u202e', '\u200b', '\u200d', 'a', '界', '\ud83d'), {
      maxLength: 24,
    })
    .map((parts) => parts.join('')),
)

/** What may stand on no face: controls (but the line feeds of the face itself), and what turns or hides. */
export const neverShown =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/
