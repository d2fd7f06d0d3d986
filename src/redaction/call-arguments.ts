// Finds passwords among the arguments of calls, and behind words of SQL and of settings that no name of ours fits.
import { isNoSecret } from './no-secret.js'
import type { Stretch } from './stretch.js'

const value = String.raw`(\\{0,4}["'])([^"'\n\\]{1,256})\1`
const other = String.raw`\\{0,4}["'][^"'\n\\]{1,128}\\{0,4}["']`

const shapes: readonly RegExp[] = [
  // auth=('bob', '…'), HTTPBasicAuth('bob', '…'), .login("bob", "…")
  String.raw`(?:\bauth\s{0,2}=\s{0,2}[([]|BasicAuth\(|DigestAuth\(|Credentials?\(|\.(?:login|authenticate|auth|basicAuth|basic_auth|signIn|sign_in)\()\s{0,16}${other}\s{0,4},\s{0,16}${value}`,
  // setPassword("…"), withToken("…"), PASSWORD('…')
  String.raw`(?:\b(?:set|with|\.)_?(?:password|passphrase|token|secret|api_?key|client_?secret|access_?token)|\.password|\bPASSWORD)\(\s{0,4}${value}\s{0,4}\)`,
  // A field that is filled in: get('input[name=password]').type('…')
  String.raw`(?:password|passwd|passphrase|api_?key|secret|otp)[^\n]{0,24}\)\.(?:type|fill|sendKeys|send_keys|setValue|set_value|pressSequentially)\(\s{0,4}${value}`,
  String.raw`ConvertTo-SecureString\s{1,4}(?:-String\s{1,4})?${value}`,
  String.raw`\bIDENTIFIED\s{1,4}(?:WITH\s{1,4}\S{1,64}\s{1,4})?BY\s{1,4}${value}`,
].map((source) => new RegExp(source, 'gi'))

export function* callArguments(text: string): Iterable<Stretch> {
  for (const shape of shapes) {
    for (const match of text.matchAll(shape)) {
      const [whole, quote = '', secret = ''] = match
      if (isNoSecret(secret) || /[\s:]$/.test(secret)) continue
      const from = match.index + whole.lastIndexOf(`${quote}${secret}${quote}`) + quote.length
      yield { from, to: from + secret.length }
    }
  }
}
