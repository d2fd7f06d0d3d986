// Tells that a sentence names the user and a decision in a language whose claims nobody here can judge. Such a sentence is counted as
// not checked; it is neither a claim nor clean.

interface OtherLanguage {
  readonly language: string
  /** Cheap: whether a text can name the user in it. */
  readonly mayHold: RegExp
  readonly actor: string
  readonly decision: string
}

const otherLanguages: readonly OtherLanguage[] = [
  {
    language: 'es',
    mayHold: /usuari|dueñ|propietari/i,
    actor: '(?:el|la|del|al) (?:usuari[oa]|dueñ[oa]|propietari[oa])|usuari[oa]',
    decision:
      '(?:ha |había )?(?:decid(?:ió|ido|e)|aprob(?:ó|ado|ada)|eleg?i(?:ó|do)|escogi(?:ó|do)|acord(?:ó|ado)|confirm(?:ó|ado|ada)|rechaz(?:ó|ado|ada)|autoriz(?:ó|ado|ada)|pidió|pedido|orden(?:ó|ado)|acept(?:ó|ado|ada)|quiere que|dijo que|prohibió|vet(?:ó|ado)|visto bueno|exig(?:ió|ido))',
  },
  {
    language: 'pt',
    mayHold: /usuári|utilizador|proprietári|dono|dona/i,
    actor: '(?:o|a|do|da|pelo|pela) (?:usuári[oa]|utilizador[a]?|proprietári[oa]|don[oa])|usuári[oa]',
    decision:
      '(?:decid(?:iu|ido)|aprov(?:ou|ado|ada)|escolh(?:eu|ido)|concordou|confirm(?:ou|ado|ada)|rejeit(?:ou|ado|ada)|autoriz(?:ou|ado|ada)|pediu|mandou|aceit(?:ou|o)|quer que|disse que|proibiu|vetou)',
  },
  {
    language: 'fr',
    mayHold: /utilisat|propriétaire/i,
    actor: "(?:l'|d'|par l')?utilisat(?:eur|rice)|(?:le|la|du) propriétaire",
    decision:
      '(?:a |avait )?(?:décidé|approuvée?|choisie?|convenu|confirmée?|rejetée?|refusée?|validée?|autorisée?|demandé|ordonné|acceptée?|veut que|a dit|interdit|donné son accord|exigé)',
  },
  {
    language: 'de',
    mayHold: /nutzer|anwender|besitzer|eigentümer|inhaber/i,
    actor:
      '(?:der|die|den|vom|dem|des) (?:[a-zäöüß]{0,12})?(?:nutzer|anwender|besitzer|eigentümer|inhaber)(?:in)?s?|(?:be)?nutzer(?:in)?',
    decision:
      '(?:entschied(?:en)?|genehmigt(?:e)?|freigegeben|gab .{1,40} frei|wählte|gewählt|zugestimmt|stimmte|bestätigt(?:e)?|abgelehnt|lehnte|angewiesen|verlangt(?:e)?|gefordert|beschloss(?:en)?|erlaubt(?:e)?|gebilligt|billigte|verboten|will, dass|möchte, dass|beauftragt|zugesagt|grünes licht)',
  },
  {
    language: 'it',
    mayHold: /utente|proprietari/i,
    actor: "(?:l'|dell'|dall')?utente|(?:il|la|del|dal) proprietari[oa]",
    decision:
      '(?:ha )?(?:deciso|approvat[oa]|scelt[oa]|concordato|confermat[oa]|rifiutat[oa]|autorizzat[oa]|chiesto|ordinato|accettat[oa]|vuole che|vietato)',
  },
  {
    language: 'nl',
    mayHold: /gebruiker|eigenaar/i,
    actor: '(?:de )?(?:gebruiker|eigenaar)',
    decision:
      '(?:besloot|besloten|goedgekeurd|keurde|gekozen|koos|akkoord|bevestigd(?:e)?|afgewezen|geweigerd|gevraagd|wil dat|toestemming)',
  },
  {
    language: 'sv',
    mayHold: /använda|ägare|bruker|bruger/i,
    actor: '(?:användaren|ägaren|brukeren|brugeren)',
    decision:
      '(?:beslutade|beslutat|bestämde|godkände|godkänt|godkjente|godkendte|valde|valgte|bekräftade|bekreftet|avvisade|avviste|bad om|besluttet)',
  },
  {
    language: 'pl',
    mayHold: /użytkowni|właściciel/i,
    actor: 'użytkowni(?:k|czka|ka|kiem)|właściciel(?:ka)?',
    decision:
      '(?:zdecydował|zatwierdził|wybrał|zgodził|potwierdził|odrzucił|poprosił|zażądał|zaakceptował|zaaprobował|kazał|postanowił)',
  },
  {
    language: 'tr',
    mayHold: /kullanıcı|sahibi/i,
    actor: 'kullanıcı|sahibi',
    decision: '(?:onayladı|karar verdi|seçti|reddetti|kabul etti|istedi|talep etti|onay verdi)',
  },
  {
    language: 'id',
    mayHold: /pengguna|pemilik/i,
    actor: 'pengguna|pemilik',
    decision: '(?:memutuskan|menyetujui|memilih|menolak|setuju|mengonfirmasi|meminta|mengizinkan)',
  },
  {
    language: 'vi',
    mayHold: /người dùng|chủ sở hữu/i,
    actor: 'người dùng|chủ sở hữu',
    decision: '(?:quyết định|phê duyệt|đồng ý|chọn|xác nhận|từ chối|yêu cầu|chấp thuận)',
  },
  {
    language: 'ru',
    mayHold: /пользовател|владел|хозяин/i,
    actor: 'пользовател[ьяею]м?|владел(?:ец|ица|ьца)|хозяин',
    decision: '(?:решил|одобр|соглас|подтверд|выбрал|отклон|попросил|утверд|разреш|отказал|потребовал|велел|запретил)',
  },
  {
    language: 'uk',
    mayHold: /користувач|власник/i,
    actor: 'користувач|власник',
    decision: '(?:вирішив|схвалив|погодив|підтвердив|обрав|відхилив|попросив|затвердив|дозволив|заборонив)',
  },
  {
    language: 'ja',
    mayHold: /ユーザ|オーナー|利用者|使用者|所有者/,
    actor: 'ユーザー?|オーナー|利用者|使用者|所有者',
    decision:
      '(?:決定|承認|同意|確認|選択|指示|拒否|却下|要求|許可|了承|合意|依頼)(?:を)?(?:し|さ|済|が|得|出)|決め(?:た|まし)|選(?:んだ|びました)|認め(?:た|まし)|望んで|と(?:言|述べ)',
  },
  {
    language: 'ko',
    mayHold: /사용자|소유자|주인|오너/,
    actor: '사용자|소유자|주인|오너',
    decision:
      '(?:결정|승인|동의|확인|선택|거부|거절|지시|요청|허락|허가|합의)(?:을|를)?\\s?(?:했|하였|함|해|받|됨|되었|한)|골랐|정했|원한다고',
  },
  {
    language: 'ar',
    mayHold: /المستخدم|المالك|صاحب/,
    actor: 'المستخدم|المالك|صاحب',
    decision: '(?:قرر|وافق|اختار|رفض|أكد|طلب|أمر|اعتمد|سمح)',
  },
  {
    language: 'hi',
    mayHold: /उपयोगकर्ता|यूज़र|मालिक/,
    actor: 'उपयोगकर्ता|यूज़र|मालिक',
    decision: '(?:निर्णय|मंजूर|मंज़ूर|स्वीकृत|स्वीकार|चुना|फैसला|फ़ैसला|पुष्टि|अस्वीकार|कहा|अनुमति)',
  },
  {
    language: 'th',
    mayHold: /ผู้ใช้|เจ้าของ/,
    actor: 'ผู้ใช้|เจ้าของ',
    decision: '(?:ตัดสินใจ|อนุมัติ|เลือก|ยืนยัน|ปฏิเสธ|ตกลง|อนุญาต)',
  },
]

const compiled = otherLanguages.map(({ language, mayHold, actor, decision }) => {
  const edge = String.raw`(?<![\p{L}\p{N}_])`
  const spaced = !['ja', 'ko', 'th', 'ar', 'hi'].includes(language)
  const [from, to] = spaced ? [edge, String.raw`(?![\p{N}_])`] : ['', '']
  return {
    language,
    mayHold,
    /** Who, and within reach what; or what, and then by whom. */
    told: new RegExp(
      `${from}(?:${actor})${to}[^.;!?。]{0,120}?${from}(?:${decision})|${from}(?:${decision})[^.;!?。]{0,60}?${from}(?:${actor})${to}`,
      'iu',
    ),
  }
})

const beyondUsual = /[\u00c0-\u024f\u0370-\u1fff\u3040-\u30ff\uac00-\ud7ff]/

/** The language in which a sentence tells of the user's decision, where it is one that nobody here can judge. */
export function otherLanguageOf(sentence: string): string | undefined {
  const candidates = beyondUsual.test(sentence) ? compiled : latin
  return candidates.find(({ mayHold, told }) => mayHold.test(sentence) && told.test(sentence))?.language
}

const latin = compiled.filter(({ language }) => ['es', 'pt', 'fr', 'de', 'it', 'nl', 'id', 'tr', 'sv', 'pl'].includes(language))

/** A cheap look at a whole text or line. */
export function mayHoldOtherLanguage(text: string): boolean {
  return anyActor.test(text)
}

const anyActor = new RegExp(otherLanguages.map(({ mayHold }) => mayHold.source).join('|'), 'i')
