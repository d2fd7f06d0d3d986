// The one table of what is taken out of a text: the shapes of vendors' tokens, old and new, and what only its surroundings give away. A row
// is looked for only where one of its literals stands in the text, and costs no more than the text is long.
import { assignedValues } from './assigned-values.js'
import { authorizationHeaders, cookieHeaders, schemeCredentials } from './authorization-headers.js'
import { callArguments } from './call-arguments.js'
import { commandCookies, commandPasswords, commandUsers, machinePasswords } from './command-passwords.js'
import { type Marker, markers } from './markers.js'
import { namedValues } from './named-values.js'
import { pipedPasswords } from './piped-passwords.js'
import { privateJwks, privateKeys, puttyKeys } from './private-keys.js'
import { queryCredentials } from './query-credentials.js'
import type { Stretch } from './stretch.js'
import { tableColumns } from './table-columns.js'
import { urlCredentials } from './url-credentials.js'

export interface SecretPattern {
  /** As `stele redact --check` names it. */
  readonly name: string
  /** What it takes out, for docs/redaction.md. */
  readonly takes: string
  readonly marker: Marker
  /** One of these must stand in the text; without any, the row looks for itself. */
  readonly literals: readonly string[]
  /** Its surroundings say that it is a secret, and not its shape. */
  readonly byPlace: boolean
  readonly find: (text: string) => Iterable<Stretch & { readonly how?: string }>
}

// Not behind a letter or digit, unless that belongs to `\n` or `%3D`.
const begins = '(?<!(?<!\\\\|%[0-9A-F]?)[A-Za-z0-9])'
/** The same, and not within a run of words with hyphens: for shapes that may look far and find nothing. */
const beginsRun = '(?<!(?<!\\\\|%[0-9A-F]?)[\\w-])'

/** A token that is known by how it begins: all of its letters belong to it. */
function token(name: string, takes: string, literals: readonly string[], shape: RegExp, start = begins): SecretPattern {
  const pattern = new RegExp(`${start}(?:${shape.source})`, 'g')
  return { name, takes, marker: markers.secret, literals, byPlace: false, find: (text) => matchesOf(pattern, text) }
}

function place(name: string, takes: string, literals: readonly string[], shape: RegExp, flags = 'g'): SecretPattern {
  const pattern = new RegExp(shape.source, flags)
  return { name, takes, marker: markers.secret, literals, byPlace: true, find: (text) => matchesOf(pattern, text) }
}

function found(
  name: string,
  takes: string,
  literals: readonly string[],
  find: SecretPattern['find'],
  marker: Marker = markers.secret,
): SecretPattern {
  return { name, takes, marker, literals, byPlace: marker !== markers.privateKey, find }
}

export const secretPatterns: readonly SecretPattern[] = [
  found(
    'private-key',
    'PEM and PGP private keys, to their end or to the end of the text',
    ['PRIVATE KEY'],
    privateKeys,
    markers.privateKey,
  ),
  found('putty-private-key', 'the private lines of a PuTTY key', ['Private-Lines:'], puttyKeys, markers.privateKey),
  token(
    'encoded-private-key',
    'a PEM private key in base64',
    ['LS0tLS1CRUdJTi'],
    /LS0tLS1CRUdJTi(?:BSU0EgUFJJVkFURSBLRV|BQUklWQVRFIEtFW|BFQyBQUklWQVRFIEtFW|BPUEVOU1NIIFBSSVZBVEUgS0VZ|BFTkNSWVBURUQgUFJJVkFURSBLRV|BEU0EgUFJJVkFURSBLRV)[A-Za-z0-9+/=]*/,
  ),
  token('age-secret-key', '`AGE-SECRET-KEY-1…`', ['AGE-SECRET-KEY-'], /AGE-SECRET-KEY-(?:[A-Z]{1,8}-)?1[0-9A-Z]{20,}/),
  token(
    'jwt',
    'JSON Web Tokens, signed, unsigned or encrypted',
    ['eyJ'],
    /(?<!\bpk\.)eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*){0,3}/,
    beginsRun,
  ),

  // Code hosts and package registries.
  token(
    'github-token',
    '`ghp_` `gho_` `ghu_` `ghs_` `ghr_`',
    ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    /gh[pousr]_(?=\w{0,64}[0-9])\w{6,}(?:[.-][\w-]{6,})*/,
  ),
  token('github-fine-grained-token', '`github_pat_…`', ['github_pat_'], /github_pat_\w{16,}/),
  token(
    'gitlab-token',
    '`glpat-` `gloas-` `gldt-` `glrt-` and their kin, `GR1348941…`',
    [
      'glpat-',
      'gloas-',
      'gldt-',
      'glrt-',
      'glrtr-',
      'glcbt-',
      'glptt-',
      'glft-',
      'glimt-',
      'glagent-',
      'glsoat-',
      'glffct-',
      'glwt-',
      'GR1348941',
    ],
    /(?:gl(?:pat|oas|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|wt)-[\w.=-]{16,}|GR1348941[\w-]{16,})/,
  ),
  token(
    'atlassian-token',
    'Atlassian and Bitbucket: `ATATT3…` `ATCTT3…` `ATBB…`',
    ['ATATT3', 'ATCTT3', 'ATBB'],
    /(?:AT[AC]TT3[\w=+/-]{20,}|ATBB[A-Za-z0-9]{24,}(?:=[0-9A-F]{8})?)/,
  ),
  token('npm-token', '`npm_…`', ['npm_'], /npm_[A-Za-z0-9]{20,}/),
  token('pypi-token', '`pypi-…`', ['pypi-'], /pypi-Ag[\w-]{16,}/),
  token('rubygems-token', '`rubygems_…`', ['rubygems_'], /rubygems_[0-9a-f]{32,}/),
  token('docker-token', '`dckr_pat_…` `dckr_oat_…`', ['dckr_'], /dckr_[po]at_[\w-]{20,}/),

  // Talking.
  token(
    'slack-token',
    '`xoxb-` `xoxp-` `xoxe.xoxp-` `xapp-` and their kin',
    ['xox', 'xapp-'],
    /(?:xox[a-z](?:\.xox[a-z])?-[\w-]{8,}|xapp-[\w-]{10,})/,
  ),
  place(
    'slack-webhook',
    'what stands behind `hooks.slack.com/services/`',
    ['hooks.slack.com/'],
    /(?<=hooks\.slack(?:-gov)?\.com\/(?:services|workflows|triggers)\/)[\w/+-]{10,}/,
  ),
  place(
    'discord-webhook',
    'what stands behind `discord.com/api/webhooks/`',
    ['/api/webhooks/', '/webhooks/'],
    /(?<=discord(?:app)?\.com\/api\/(?:v[0-9]{1,2}\/)?webhooks\/)[0-9]{5,24}\/[\w-]{20,}/,
  ),
  place(
    'teams-webhook',
    'what stands behind `webhook.office.com/webhookb2/`',
    ['webhook.office.com/'],
    /(?<=webhook\.office\.com\/webhookb2\/)[\w@/-]{20,}/,
  ),
  place(
    'hook-address',
    'what stands behind the hooks of Feishu, Zapier, IFTTT, Make and Mattermost',
    ['hook', 'maker.ifttt.com'],
    /(?<=open\.(?:feishu\.cn|larksuite\.com)\/open-apis\/bot\/(?:v2\/)?hook\/|hooks\.zapier\.com\/hooks\/catch\/|maker\.ifttt\.com\/(?:trigger|use)\/(?:[\w-]{1,64}\/)?(?:json\/)?with\/key\/|hook\.(?:[a-z0-9]{2,4}\.)?make\.com\/|\/hooks\/(?=[a-z0-9]{26}\b))[\w-]{7,64}(?:\/[\w-]{6,32})?/,
  ),
  token('discord-token', 'bot tokens of three parts', ['.'], /[MNO][\w-]{22,28}\.[\w-]{5,8}\.[\w-]{25,}/, beginsRun),
  place(
    'telegram-token',
    'bot tokens: a number, a colon, 35 characters',
    [':'],
    /(?<![0-9])[0-9]{6,12}:(?:AA[\w-]{20,}|[\w-]{35}(?![\w-]))/,
  ),

  // Money.
  token(
    'stripe-key',
    '`sk_live_` `sk_test_` `rk_live_` `whsec_`',
    ['sk_', 'rk_', 'whsec_'],
    /(?:[sr]k_(?:live|test|prod|org)_\w{8,}|whsec_[\w+/=-]{16,})/,
  ),
  token('square-token', '`sq0atp-` `sq0csp-`', ['sq0'], /sq0(?:atp|csp|idp)-[\w-]{20,}/),
  token('shopify-token', '`shpat_` `shpca_` `shppa_` `shpss_`', ['shp'], /shp(?:at|ca|pa|ss|ua)_[A-Za-z0-9]{20,}/),
  token('flutterwave-key', '`FLWSECK…`', ['FLWSECK'], /FLWSECK(?:_TEST|_LIVE)?-[\w-]{12,}/),
  token('plaid-token', '`access-sandbox-…`', ['access-'], /access-(?:sandbox|development|production)-[0-9a-f-]{32,}/),

  // Clouds.
  token(
    'aws-access-key',
    '`AKIA…` `ASIA…` `ABSK…`, and session tokens',
    ['AKIA', 'ASIA', 'ABIA', 'ACCA', 'ABSK', 'FwoGZXIvYXdz', 'IQoJb3JpZ2lu'],
    /(?:A(?:KI|SI|BI|CC)A(?![A-Z0-9]{0,20}EXAMPLE)[A-Z0-9]{16,}|ABSK[A-Za-z0-9+/=]{40,}|(?:FwoGZXIvYXdz|IQoJb3JpZ2lu)[A-Za-z0-9+/=]{40,})/,
  ),
  place(
    'aws-secret-key',
    'the 40 characters behind an access key or behind `secret_access_key`',
    ['KIA', 'SIA', 'ccess'],
    /(?:(?<=A[KS]IA[A-Z0-9]{16}[\s:,;|"'/]{1,8})|(?<=secret_?access_?key["']?[\s:=,]{1,8}["']?)|(?<=SecretAccessKey["']?[\s:=,]{1,8}["']?))(?=[A-Za-z0-9+/]{0,39}[A-Z])(?![A-Za-z0-9+/]{30}EXAMPLEKEY)[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/])/,
  ),
  token('google-api-key', '`AIza…`', ['AIza'], /AIza[\w-]{30,}/),
  token(
    'google-oauth',
    '`ya29.…` `GOCSPX-…` and refresh tokens `1//0…`',
    ['ya29.', 'GOCSPX-', '1//0'],
    /(?:ya29\.[\w.-]{16,}|GOCSPX-[\w-]{16,}|1\/\/0[\w-]{20,})/,
  ),
  place(
    'azure-signature',
    '`sig=` of a shared access signature, `AccountKey=`',
    ['sig=', 'AccountKey=', 'SharedAccessKey='],
    /(?<=[?&;]sig=|AccountKey=|SharedAccessKey=)[\w%+/=-]{16,}/,
  ),
  token('azure-client-secret', 'client secrets with `Q~` in them', ['Q~'], /[\w.~-]{3}[0-9]Q~[\w.~-]{31,}/),
  token(
    'azure-key',
    'keys of Azure with their mark in them: `AzFu` `AzSe` `AzCa` `ACDb` `+ASt` `AIoT` `AZDO` `JQQJ99…ACOG`',
    ['AzFu', 'AzSe', 'AzCa', 'ACDb', 'ASt', 'AIoT', 'AZDO', 'JQQJ99'],
    /(?:[A-Za-z0-9+/_-]{33,76}(?:AzFu|AzSe|AzCa|ACDb|\+ASt|AIoT|\+ABa|AZDO)[A-Za-z0-9+/_-]{4,8}(?:={0,2})|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{18,30})(?![A-Za-z0-9+/])/,
    beginsRun,
  ),
  token(
    'other-cloud-token',
    'Cloudflare, Vercel, Aiven, CockroachDB, MongoDB Atlas, Scalingo, Yandex, Dynatrace, Octopus, Artifactory, Xata',
    ['v1.0-', 'cf', 'vercel_', 'vc', 'AVNS_', 'CCDB1_', 'mdb_sa_sk_', 'tk-', 'AQVN', 'y0_', 't1.', 'dt0', 'API-', 'AKCp', 'xau_'],
    /(?:v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}|cf(?:ut|at|k)_[\w-]{30,}|vercel_blob_rw_\w{20,}|vc[piark]_\w{24,}|AVNS_[\w-]{15,}|CCDB1_\w{20,}_\w{30,}|mdb_sa_sk_[\w-]{30,}|tk-us-[\w-]{40,}|AQVN[\w-]{35,38}|y0_[\w-]{40,}|t1\.[\w-]{8,}={0,2}\.[\w-]{80,}={0,2}|dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}|API-[A-Z0-9]{25,}|AKCp[A-Za-z0-9]{20,}|xau_\w{20,})/,
    beginsRun,
  ),
  token('digitalocean-token', '`dop_v1_` `doo_v1_` `dor_v1_`', ['_v1_'], /do[oprt]_v1_[0-9a-f]{40,}/),
  token('alibaba-key', '`LTAI…`', ['LTAI'], /LTAI[A-Za-z0-9]{12,}/),
  token('tencent-key', '`AKID…`', ['AKID'], /AKID[A-Za-z0-9]{13,}/),
  token('heroku-key', '`HRKU-…`', ['HRKU-'], /HRKU-[\w-]{30,}/),
  token(
    'fly-token',
    '`FlyV1 fm2_…` `fo1_…`',
    ['FlyV1', 'fm1', 'fm2', 'fo1_'],
    /(?:FlyV1 [\w+/=,.-]{20,}|fm[12][ar]?_[\w+/=,-]{40,}|fo1_[\w-]{20,})/,
  ),
  token('supabase-key', '`sbp_` `sb_secret_`', ['sbp_', 'sb_secret_'], /(?:sbp_(?:v0_)?[0-9a-f]{30,}|sb_secret_[\w-]{16,})/),
  token('netlify-token', '`nfp_…`', ['nfp_'], /nfp_[A-Za-z0-9]{30,}/),
  token('render-key', '`rnd_…`', ['rnd_'], /rnd_[A-Za-z0-9]{20,}/),
  token('planetscale-token', '`pscale_tkn_` `pscale_pw_`', ['pscale_'], /pscale_(?:tkn|pw|oauth)_[\w.=-]{20,}/),
  token('neon-key', '`napi_…`', ['napi_'], /napi_[a-z0-9]{40,}/),
  token('openshift-token', '`sha256~…`', ['sha256~'], /sha256~[\w-]{40,}/),
  token('databricks-token', '`dapi…`', ['dapi'], /dapi[0-9a-f]{32}(?:-[0-9]{1,2})?/),
  token('tailscale-key', '`tskey-…`', ['tskey-'], /tskey-[\w-]{16,}/),
  token('vault-token', '`hvs.` `hvb.` `hvr.`', ['hvs.', 'hvb.', 'hvr.'], /hv[sbr]\.[\w-]{20,}/),
  token('terraform-token', '`….atlasv1.…`', ['.atlasv1.'], /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{40,}/),
  token('pulumi-token', '`pul-…`', ['pul-'], /pul-[0-9a-f]{40}/),
  token('doppler-token', '`dp.pt.` `dp.st.` and their kin', ['dp.'], /dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{16,}/),
  token(
    'onepassword-token',
    '`ops_eyJ…` and `A3-…`',
    ['ops_eyJ', 'A3-'],
    /(?:ops_eyJ[\w+/=-]{40,}|A3-[A-Z0-9]{6}-[A-Z0-9]{6,11}(?:-[A-Z0-9]{5,6}){3,4})/,
  ),

  // Models.
  token(
    'sk-key',
    '`sk-…`: OpenAI, Anthropic, OpenRouter and others',
    ['sk-'],
    /sk-(?![a-z]+(?:-[a-z]+)*[0-9]{0,2}(?![\w-]))[\w-]{8,}/,
    beginsRun,
  ),
  token('apikey-token', '`apikey_…`', ['apikey_'], /apikey_(?=[\w-]{0,64}[0-9A-Z])[\w-]{6,}/),
  token('huggingface-token', '`hf_…` `api_org_…`', ['hf_', 'api_org_'], /(?:hf|api_org)_[A-Za-z0-9]{20,}/),
  token('groq-key', '`gsk_…`', ['gsk_'], /gsk_[A-Za-z0-9]{20,}/),
  token('xai-key', '`xai-…`', ['xai-'], /xai-[A-Za-z0-9]{20,}/),
  token('perplexity-key', '`pplx-…`', ['pplx-'], /pplx-[A-Za-z0-9]{20,}/),
  token('replicate-token', '`r8_…`', ['r8_'], /r8_[A-Za-z0-9]{20,}/),
  token('nvidia-key', '`nvapi-…`', ['nvapi-'], /nvapi-[\w-]{20,}/),
  token('fireworks-key', '`fw_…`', ['fw_'], /fw_[A-Za-z0-9]{20,}/),
  token('cerebras-key', '`csk-…`', ['csk-'], /csk-[a-z0-9]{20,}/),
  token('together-key', '`tgp_v1_…`', ['tgp_v1_'], /tgp_v1_[\w-]{20,}/),
  token('langsmith-key', '`lsv2_pt_` `lsv2_sk_`', ['lsv2_'], /lsv2_(?:pt|sk)_\w{20,}/),
  token('tavily-key', '`tvly-…`', ['tvly-'], /tvly-[\w-]{16,}/),
  token('firecrawl-key', '`fc-…`', ['fc-'], /fc-[0-9a-f]{32}/),
  token('elevenlabs-key', '`sk_` and hex', ['sk_'], /sk_[0-9a-f]{40,}/),
  token('pinecone-key', '`pcsk_…`', ['pcsk_'], /pcsk_\w{20,}/),
  token('jina-key', '`jina_…`', ['jina_'], /jina_\w{30,}/),
  token('apify-token', '`apify_api_…`', ['apify_'], /apify_(?:api|proxy)_[A-Za-z0-9]{20,}/),
  token('brave-key', '`BSA…`', ['BSA'], /BSA(?=[\w-]{0,28}[0-9])(?=[\w-]{0,28}[a-z])[\w-]{25,32}/),
  token('e2b-key', '`e2b_…`', ['e2b_'], /e2b_[0-9a-f]{30,}/),
  token('browserbase-key', '`bb_live_…`', ['bb_live_'], /bb_live_[\w-]{16,}/),

  // Mail, notes and the rest.
  token('sendgrid-key', '`SG.….…`', ['SG.'], /SG\.[\w-]{16,64}\.[\w-]{16,}/, beginsRun),
  token('twilio-key', '`SK` and 32 hex', ['SK'], /SK[0-9a-f]{32}/),
  token('mailgun-key', '`key-` and 32 hex', ['key-'], /key-[0-9a-f]{32}(?:-[0-9a-f]{8}-[0-9a-f]{8})?/),
  token('mailchimp-key', '32 hex and `-us12`', ['-us'], /[0-9a-f]{32}-us[0-9]{1,2}/),
  token('resend-key', '`re_…_…`', ['re_'], /re_[A-Za-z0-9]{6,16}_[A-Za-z0-9]{16,}/),
  token('brevo-key', '`xkeysib-…`', ['xkeysib-', 'xsmtpsib-'], /x(?:key|smtp)sib-[0-9a-f]{40,}(?:-\w{8,})?/),
  token('linear-key', '`lin_api_` `lin_oauth_`', ['lin_'], /lin_(?:api|oauth)_[A-Za-z0-9]{16,}/),
  token('notion-token', '`ntn_…` `secret_…`', ['ntn_', 'secret_'], /(?:ntn_[A-Za-z0-9]{20,}|secret_[A-Za-z0-9]{40,})/),
  token('airtable-token', '`pat….…`', ['pat'], /pat[A-Za-z0-9]{14}\.[0-9a-f]{40,}/),
  token('figma-token', '`figd_…`', ['figd_'], /figd_[\w-]{20,}/),
  token('postman-key', '`PMAK-…`', ['PMAK-'], /PMAK-[0-9a-f]{24}-[0-9a-f]{30,}/),
  token('hubspot-token', '`pat-na1-…`', ['pat-'], /pat-(?:na|eu|ap)[0-9]{0,2}-[0-9a-f]{8}-[0-9a-f-]{20,}/),
  token(
    'grafana-token',
    '`glsa_` `glc_`',
    ['glsa_', 'glc_'],
    /(?:glsa_[A-Za-z0-9]{20,}(?:_[0-9a-f]{8})?|glc_[A-Za-z0-9+/=]{32,})/,
  ),
  token('sentry-token', '`sntrys_` `sntryu_`', ['sntry'], /sntry[su]_[\w+/=-]{20,}/),
  token('newrelic-key', '`NRAK-…`', ['NRAK-', 'NRII-', 'NRJS-'], /NR(?:AK|II|JS)-[\w-]{19,}/),
  token('sonar-token', '`sqp_` `squ_` `sqa_`', ['sq'], /sq[pua]_[0-9a-f]{40}/),
  token('buildkite-token', '`bkua_…`', ['bkua_'], /bkua_[0-9a-f]{40}/),
  token('circleci-token', '`CCIPAT_…`', ['CCIP'], /CCIP(?:AT|RJ)_\w{20,}/),
  token('adafruit-key', '`aio_…`', ['aio_'], /aio_[A-Za-z0-9]{28}/),
  token('contentful-token', '`CFPAT-…`', ['CFPAT-'], /CFPAT-[\w-]{40,}/),
  token('mapbox-token', 'secret tokens: `sk.eyJ…`', ['sk.eyJ', 'tk.eyJ'], /[st]k\.eyJ[\w-]{20,}\.[\w-]{16,}/, beginsRun),
  token('dropbox-token', '`sl.…`', ['sl.'], /sl\.(?:u\.)?[\w-]{60,}/),
  token('facebook-token', '`EAA…`', ['EAA'], /EAA[A-Za-z0-9]{60,}/),
  token('nuget-key', '`oy2…`', ['oy2'], /oy2[a-z0-9]{43}/),
  token(
    'other-service-token',
    'X, PayPal, EasyPost, Shippo, Duffel, LaunchDarkly, Trello, Typeform, Readme, PostHog, Asana, WakaTime, Polar, Sourcegraph, Nylas, Clojars, Intercom, RunPod, LlamaCloud, Cursor, Frame.io, Harness and some more',
    [],
    /(?:A{21}[\w%]{40,}|access_token\$(?:production|sandbox)\$[0-9a-z]{12,24}\$[0-9a-f]{32}|EZ[AT]K[A-Za-z0-9]{50,}|shippo_(?:live|test)_[0-9a-f]{40}|duffel_(?:live|test)_[\w-]{30,}|(?:sdk|api|mob)-[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|ATTA[A-Za-z0-9]{50,}|tfp_[\w.=-]{30,}|rdme_[a-z0-9]{50,}|phx_[A-Za-z0-9]{30,}|[12]\/[0-9]{10,20}(?:\/[0-9]{10,20})?:[0-9a-f]{32}|waka_[0-9a-f-]{36}|polar_(?:oat|pat|at_u|rt_u)_\w{20,}|sgp_(?:[a-zA-Z0-9]{16}_|local_)?[0-9a-f]{40}|nyk_v0_\w{20,}|CLOJARS_[0-9a-f]{50,}|dG9rO[A-Za-z0-9+/]{30,}={0,2}|rpa_[A-Z0-9]{30,}\w{0,12}|llx-[A-Za-z0-9]{30,}|crsr_[A-Za-z0-9]{20,}|fio-u-[\w=-]{30,}|pat\.[\w-]{22}\.[0-9a-f]{24}\.\w{20}|sess-[A-Za-z0-9]{30,}|dtn_[0-9a-f]{40,}|ico-[A-Za-z0-9]{32}|sm_[ap]at_\w{16,}|rootly_[0-9a-f]{40,}|bedrock-api-key-[A-Za-z0-9+/=]{30,}|wandb_v1_\w{30,}|zpka_\w{20,}|glpat_[\w-]{20,})/,
    beginsRun,
  ),
  token('prefect-key', '`pnu_` `pnb_`', ['pnu_', 'pnb_'], /pn[ub]_[A-Za-z0-9]{30,}/),

  // What its surroundings give away.
  found(
    'authorization-header',
    '`Authorization:` with whatever stands in it, all of its parts',
    [],
    authorizationHeaders,
    markers.authorization,
  ),
  found(
    'scheme-credential',
    '`Bearer …` and `Basic …` where a credential follows, and no word',
    [],
    schemeCredentials,
    markers.authorization,
  ),
  found('cookie-header', '`Cookie:` and `Set-Cookie:` with their values', [], cookieHeaders),
  place(
    'cookie-jar',
    'values in the files that curl and browsers keep their cookies in',
    ['\t'],
    /(?<=^[^\s]{1,256}\t(?:TRUE|FALSE)\t\/[^\t\n]{0,256}\t(?:TRUE|FALSE)\t[0-9]{1,16}\t[^\t\n]{1,128}\t)[^\t\r\n]{4,4096}/,
    'gm',
  ),
  found('url-credential', 'user and password in a URL of any scheme, and in `name:password@host:port`', ['@'], urlCredentials),
  found(
    'query-credential',
    'what looks like chance under `key`, `code`, `sig` and their kin in the query of an address, and `pwd=…`',
    ['=', '%3'],
    queryCredentials,
  ),
  found(
    'command-user',
    'the password of `curl -u name:password` and its kin',
    ['-u', '-U', '--user', '--proxy-user', '-a', '-creds'],
    commandUsers,
  ),
  found('command-cookie', 'cookies of `curl -b …`', ['-b', '--cookie'], commandCookies),
  found(
    'command-password',
    'passwords in flags and places of known programs: `mysql -p…`, `sshpass -p`, `docker login -p`, `openssl -passin pass:…`, `kubectl create secret`',
    [],
    commandPasswords,
  ),
  found(
    'piped-password',
    'what `echo` or `<<<` hands to a command that reads a password: `docker login --password-stdin <<< …`',
    ['|', '<<<'],
    pipedPasswords,
  ),
  found(
    'machine-password',
    '`machine … login … password …`, as `.netrc` has it, and lines of `.pgpass`',
    ['login ', ':'],
    machinePasswords,
  ),
  found(
    'named-value',
    'a value beside its name: `name: API_KEY` and `value: …`, `<add key="Password" value="…"/>`, `ENV API_KEY …`',
    [],
    namedValues,
  ),
  found(
    'call-argument',
    'passwords among the arguments of calls: `auth=(name, …)`, `setPassword(…)`, `IDENTIFIED BY …`',
    ['("', "('", '"', "'"],
    callArguments,
  ),
  found('table-column', 'cells below a head that names them, in CSV and in tables of Markdown', ['\n'], tableColumns),
  place(
    'seed-phrase',
    'twelve to twenty-four words behind `seed`, `mnemonic`, `recovery phrase`',
    ['eed', 'nemonic', 'ecovery', 'ackup', 'hrase'],
    /(?<=(?:[Ss]eed|[Mm]nemonic|MNEMONIC|[Rr]ecovery|[Bb]ackup|[Pp]hrase|PHRASE)[\w -]{0,24}["']?\s{0,4}[:=]\s{0,4}["'[]{0,2})(?:[a-z]{3,8}[ ,]{1,2}){11,23}[a-z]{3,8}(?![a-z])/,
  ),
  found('private-jwk', 'the private members of a JSON Web Key', ['"kty"'], privateJwks),
  found(
    'assigned-value',
    'a value under a secret name: `NAME=…`, `"name": "…"`, `name => …`, `<name>…</name>`',
    [],
    assignedValues,
  ),
]

function* matchesOf(pattern: RegExp, text: string): Iterable<Stretch> {
  pattern.lastIndex = 0
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text))
    yield { from: match.index, to: pattern.lastIndex }
}
