// How other languages call passwords, keys and tokens, where their words are not those of English.

/** A password, whatever stands behind it. */
export const passwordNamesAbroad =
  'mots?[ _-]?de[ _-]?passe|mdp|contrase[ñn]as?|clave de acceso|palavra-passe|senhas?|parola d.ordine|wachtwoord|has[łl]o|пароль|пароля|密码|密碼|' +
  '口令|パスワード|暗証番号|비밀번호|암호|şifre|sifre|lösenord|losenord|adgangskode|salasana|passord|heslo|jelszó|mật khẩu|kata sandi|סיסמה|كلمة المرور'

/** A key or a token: what looks like chance behind it. */
export const secretNamesAbroad =
  'cl[ée][ _-](?:api|secrète|d.accès)|jeton|clave[ _-](?:api|secreta)|chave[ _-](?:de api|api|secreta)|chiave[ _-](?:api|segreta)|schl[üu]e?ssel|' +
  'zugangsdaten|токен|ключ|секрет|密钥|秘钥|密鑰|金鑰|令牌|トークン|シークレット|キー|토큰|시크릿'

const passwordAtEnd = new RegExp(`(?:${passwordNamesAbroad})$`, 'i')
const secretAtEnd = new RegExp(`(?:${secretNamesAbroad})$`, 'i')

/** What a name of another language says; undefined where it says nothing. */
export function kindAbroad(name: string): 'password' | 'perhaps' | undefined {
  if (passwordAtEnd.test(name)) return 'password'
  return secretAtEnd.test(name) ? 'perhaps' : undefined
}
