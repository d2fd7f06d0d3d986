// Holds the table of patterns: every row takes out what it is there for and leaves what only looks like it, in time that grows with the text.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readProjectFile } from '../../scripts/project-tree.js'
import { makeRedactor } from '../../src/redaction/redact.js'
import { secretPatterns } from '../../src/redaction/secret-patterns.js'
import { worstText, worstUnits } from '../support/worst-texts.js'

const test = suite('secret-patterns')

/** The bench aims at 2.2; what is of the square costs four times as much. */
const ratioMax = 2.4

// Put together here, so that no scanner of this repository takes them for real ones.
const letters = (count: number, from = 'aB3dE5fG7hJ9kL2mN4pQ6rS8tU0vW1xY') =>
  from.repeat(Math.ceil(count / from.length)).slice(0, count)
const hex = (count: number) => letters(count, '0123456789abcdef')
const upper = (count: number) => letters(count, 'A2B3C4D5E6F7G2H3')

/** The secret, or text around it with the secret between two bars; and what must stay. */
const rows: Readonly<Record<string, readonly [takes: readonly string[], leaves: readonly string[]]>> = {
  'private-key': [
    [
      '|-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nxyz\n-----END RSA PRIVATE KEY-----| and more',
      '|-----BEGIN OPENSSH PRIVATE KEY-----\nabc\nall of it|',
      '{"key": "|-----BEGIN PRIVATE KEY-----\\nMIIE\\n-----END PRIVATE KEY-----|\\n"}',
      '|-----BEGIN PGP PRIVATE KEY BLOCK-----\n\nabc\n-----END PGP PRIVATE KEY BLOCK-----|',
    ],
    [
      '-----BEGIN CERTIFICATE-----\nMIIE',
      'grep -r "-----BEGIN RSA PRIVATE KEY-----" .',
      'a PRIVATE KEY in PEM',
      '-----BEGIN PUBLIC KEY-----',
    ],
  ],
  'putty-private-key': [
    [`|Private-Lines: 2\nAAAA\nBBBB\nPrivate-MAC: ${hex(40)}|`, '|Private-Lines: 14\nAAAA|'],
    ['Public-Lines: 2\nAAAA', 'Private-Lines: none'],
  ],
  'encoded-private-key': [
    [`key-data |LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0t${letters(40)}=|`],
    [`LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0t${letters(40)}`],
  ],
  'age-secret-key': [
    [`|AGE-SECRET-KEY-1${upper(58)}|`],
    ['age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kudq', 'AGE-SECRET-KEY-1 is how they begin'],
  ],
  jwt: [
    [
      `|eyJ${letters(20)}.eyJ${letters(30)}.${letters(43)}| ok`,
      `x=|eyJ${letters(20)}.eyJ${letters(30)}.|`,
      `|eyJ${letters(20)}.${letters(9)}.${letters(9)}.${letters(9)}.${letters(9)}|`,
    ],
    ['eyJhbGciOi', 'eyJ.b.c', `keyJ${letters(20)}.${letters(20)}`],
  ],
  'github-token': [
    [
      ...['ghp', 'gho', 'ghu', 'ghs', 'ghr'].map((kind) => `|${kind}_${letters(36)}|`),
      `|ghs_12345_eyJ${letters(20)}.eyJ${letters(20)}.${letters(30)}|`,
      '|gho_1234abcd| pushed',
      `\\n|ghp_${letters(36)}|`,
    ],
    ['ghp_', 'a ghp_token', 'graph_1234567890', 'ghx_1234567890'],
  ],
  'github-fine-grained-token': [
    [`|github_pat_${letters(22)}_${letters(59)}|`],
    ['github_pat_ begins them', 'github_path_of_something_long'],
  ],
  'gitlab-token': [
    [
      ...['glpat', 'gldt', 'glrt', 'glptt', 'gloas', 'glagent'].map((kind) => `|${kind}-${letters(20)}|`),
      `|GR1348941${letters(20)}|`,
    ],
    ['glpat-short', 'gl-some-long-name-of-a-thing'],
  ],
  'atlassian-token': [
    [`|ATATT3xFf${letters(60)}=1A2B3C4D|`, `|ATBB${letters(32)}|`],
    ['ATATT3', 'ATBBs'],
  ],
  'npm-token': [[`|npm_${letters(36)}|`], ['npm_config_registry', 'npm_lifecycle_event']],
  'pypi-token': [[`|pypi-AgEIcHlwaS5vcmc${letters(60)}|`], ['pypi-publish', 'pypi-server-with-a-long-name']],
  'rubygems-token': [[`|rubygems_${hex(48)}|`], ['rubygems_api']],
  'docker-token': [[`|dckr_pat_${letters(27)}|`], ['dckr_pat_', 'docker_pat_something_long_as_this']],
  'slack-token': [
    [
      `|xoxb-123456789012-${letters(24)}|`,
      `|xoxp-${letters(20)}|`,
      `|xoxe.xoxp-1-${letters(20)}|`,
      `|xapp-1-A0123-456-${hex(20)}|`,
    ],
    ['xoxb-', 'xapp-1', 'xox and xoy'],
  ],
  'slack-webhook': [
    [`https://hooks.slack.com/services/|T0000/B0000/${letters(24)}|`],
    ['https://hooks.slack.com/services/', 'https://slack.com/services/T0000/B0000/abcdefghijkl'],
  ],
  'discord-webhook': [
    [`https://discord.com/api/webhooks/|123456789012345678/${letters(60)}|`],
    ['https://discord.com/api/webhooks/', 'https://example.com/api/webhooks/12345/abcdefghijklmnopqrstuvwxyz'],
  ],
  'teams-webhook': [
    [`https://x.webhook.office.com/webhookb2/|${hex(36)}/IncomingWebhook|`],
    ['https://webhook.office.com/webhookb2/'],
  ],
  'discord-token': [
    [`|MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.${letters(27)}|`],
    ['Mozilla.Firefox.Something', 'NSString.length.of.something'],
  ],
  'telegram-token': [
    [`|123456789:AA${letters(33)}|`, `https://api.telegram.org/bot|123456789:${letters(35)}|/getMe`],
    ['12:30:45', '123456:AA', `1234567890123:${letters(35)}`, '127.0.0.1:8080'],
  ],
  'stripe-key': [
    [`|sk_live_${letters(24)}|`, `|rk_test_${letters(24)}|`, `|whsec_${letters(32)}|`],
    [`pk_live_${letters(24)}`, 'sk_live_', 'task_live_something1'],
  ],
  'square-token': [[`|sq0atp-${letters(22)}|`], ['sq0atp-short']],
  'shopify-token': [
    [`|shpat_${hex(32)}|`, `|shpss_${hex(32)}|`],
    ['shpat_', 'shop_at_some_long_place_name'],
  ],
  'flutterwave-key': [[`|FLWSECK_TEST-${letters(32)}|`], [`FLWPUBK_TEST-${letters(32)}`]],
  'plaid-token': [
    [`|access-sandbox-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}|`],
    ['access-sandbox-here', 'access-control-allow-origin'],
  ],
  'aws-access-key': [
    [`|AKIA${upper(16)}|`, `|ASIA${upper(16)}|`, `|ABSK${letters(60)}|`, `|FwoGZXIvYXdz${letters(60)}|`],
    ['AKIA', 'AKIAshort', `ZAKIA${upper(16)}`, `AROA${upper(16)}`],
  ],
  'aws-secret-key': [
    [`aws configure set aws_secret_access_key |${letters(38)}/+|`, `[AWS] |AKIA${upper(16)}| |${letters(40)}|`],
    [`secret_access_key ${hex(40)}`, 'the secret access key goes here', 'AKIA then nothing'],
  ],
  'google-api-key': [[`|AIza${letters(35)}|`], ['AIzaShort', `XAIza${letters(35)}`]],
  'google-oauth': [
    [`|ya29.${letters(60)}|`, `|GOCSPX-${letters(28)}|`, `|1//0${letters(40)}|`],
    ['ya29.x', 'GOCSPX-', '1//0'],
  ],
  'azure-signature': [
    [`?sv=2022&sig=|${letters(40)}%3D|`, `AccountName=a;AccountKey=|${letters(86)}==|;Suffix=x`],
    ['sig=short', 'design=abcdefghijklmnopqrstuvwxyz'],
  ],
  'azure-client-secret': [[`|abC8Q~${letters(34)}|`], ['Q~', 'abcQ~short']],
  'digitalocean-token': [[`|dop_v1_${hex(64)}|`], ['dop_v1_', `foo_v1_${hex(64)}`]],
  'alibaba-key': [[`|LTAI${letters(20)}|`], ['LTAIshort']],
  'tencent-key': [[`|AKID${letters(32)}|`], ['AKIDs']],
  'heroku-key': [[`|HRKU-${letters(60)}|`], ['HRKU-']],
  'fly-token': [
    [`|FlyV1 fm2_${letters(60)}|`, `|fo1_${letters(43)}|`],
    ['FlyV1 is theirs', 'fm2_x'],
  ],
  'supabase-key': [
    [`|sbp_${hex(40)}|`, `|sb_secret_${letters(30)}|`],
    [`sb_publishable_${letters(30)}`, 'sbp_'],
  ],
  'netlify-token': [[`|nfp_${letters(36)}|`], ['nfp_x']],
  'render-key': [[`|rnd_${letters(28)}|`], ['rnd_seed_of_the_simulation']],
  'planetscale-token': [[`|pscale_tkn_${letters(40)}|`], ['pscale_tkn_']],
  'neon-key': [[`|napi_${letters(60, 'a1b2c3d4')}|`], ['napi_create_function']],
  'openshift-token': [[`|sha256~${letters(43)}|`], [`sha256:${hex(64)}`, `sha256~${hex(8)}`]],
  'databricks-token': [[`|dapi${hex(32)}|`], ['dapi', `dapi${hex(20)}`]],
  'tailscale-key': [[`|tskey-auth-${letters(16)}CNTRL-${letters(20)}|`], ['tskey-', 'tskey-auth']],
  'vault-token': [[`|hvs.${letters(40)}|`], ['hvs.x', 'hvs.example.com']],
  'terraform-token': [[`|${letters(14)}.atlasv1.${letters(60)}|`], ['x.atlasv1.y']],
  'pulumi-token': [[`|pul-${hex(40)}|`], ['pul-', `pul-${hex(20)}`]],
  'doppler-token': [
    [`|dp.pt.${letters(43)}|`, `|dp.st.prd.${letters(43)}|`],
    ['dp.pt.x', 'dp.something'],
  ],
  'onepassword-token': [
    [`|ops_eyJ${letters(80)}|`, '|A3-ABC123-DEFG45-ABCDE-FGHIJ-KLMNO|'],
    ['ops_eyJ', 'A3-size paper'],
  ],
  'sk-key': [
    [
      `|sk-${letters(48)}|`,
      `|sk-proj-${letters(40)}_-${letters(20)}|`,
      `|sk-ant-api03-${letters(80)}-AA|`,
      `|sk-or-v1-${hex(64)}|`,
      'key is |sk-ZZZZZZZZ99|',
      `|sk-svcacct-${letters(30)}|`,
    ],
    ['sk-short', 'sk-circle-fade', 'sk-folding-cube2', 'task-runner-for-2026', 'sk-learn'],
  ],
  'apikey-token': [[`|apikey_${letters(20)}|`], ['apikey_header', 'apikey_']],
  'huggingface-token': [[`|hf_${letters(34)}|`], ['hf_hub_download', 'hf_transfer']],
  'groq-key': [[`|gsk_${letters(52)}|`], ['gsk_x']],
  'xai-key': [[`|xai-${letters(80)}|`], ['xai-sdk-python-examples']],
  'perplexity-key': [[`|pplx-${letters(48)}|`], ['pplx-70b-chat', 'pplx-7b-online']],
  'replicate-token': [[`|r8_${letters(37)}|`], ['r8_x']],
  'nvidia-key': [[`|nvapi-${letters(64)}|`], ['nvapi-x']],
  'fireworks-key': [[`|fw_${letters(24)}|`], ['fw_version']],
  'cerebras-key': [[`|csk-${letters(48, 'a1b2c3d4')}|`], ['csk-x']],
  'together-key': [[`|tgp_v1_${letters(43)}|`], ['tgp_v1_']],
  'langsmith-key': [[`|lsv2_pt_${hex(32)}_${hex(10)}|`], ['lsv2_pt_']],
  'tavily-key': [[`|tvly-dev-${letters(32)}|`], ['tvly-x']],
  'firecrawl-key': [[`|fc-${hex(32)}|`], ['fc-list', `fc-${hex(12)}`]],
  'elevenlabs-key': [[`|sk_${hex(48)}|`], [`sk_${hex(12)}`]],
  'pinecone-key': [[`|pcsk_${letters(60)}|`], ['pcsk_x']],
  'jina-key': [[`|jina_${letters(60)}|`], ['jina_embeddings']],
  'apify-token': [[`|apify_api_${letters(36)}|`], ['apify_api_client']],
  'brave-key': [[`|BSA${letters(28)}|`], ['BSA', 'BSAVINGSACCOUNTNUMBERSARELONG']],
  'e2b-key': [[`|e2b_${hex(40)}|`], ['e2b_sandbox']],
  'browserbase-key': [[`|bb_live_${letters(27)}|`], ['bb_live_x']],
  'sendgrid-key': [[`|SG.${letters(22)}.${letters(43)}|`], ['SG.x.y', `MSG.${letters(22)}.${letters(43)}`]],
  'twilio-key': [[`|SK${hex(32)}|`], [`AC${hex(32)}`, `SK${hex(12)}`, `DISK${hex(32)}`]],
  'mailgun-key': [[`|key-${hex(32)}|`], ['key-value', `key-${hex(12)}`]],
  'mailchimp-key': [[`|${hex(32)}-us12|`], [`${hex(32)}`, 'en-us12']],
  'resend-key': [[`|re_${letters(8)}_${letters(24)}|`], ['re_match_all', 're_compile_something_long_here']],
  'brevo-key': [[`|xkeysib-${hex(64)}-${letters(16)}|`], ['xkeysib-']],
  'linear-key': [[`|lin_api_${letters(40)}|`], ['lin_api_x', 'lin_regression']],
  'notion-token': [
    [`|ntn_${letters(46)}|`, `|secret_${letters(43)}|`],
    ['secret_name', 'secret_santa_of_the_whole_long_department_of', 'ntn_x'],
  ],
  'airtable-token': [[`|pat${letters(14)}.${hex(64)}|`], ['pattern.matching', 'patch']],
  'figma-token': [[`|figd_${letters(40)}|`], ['figd_x']],
  'postman-key': [[`|PMAK-${hex(24)}-${hex(34)}|`], ['PMAK-x']],
  'hubspot-token': [[`|pat-na1-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}|`], ['pat-na1-x']],
  'grafana-token': [[`|glsa_${letters(32)}_${hex(8)}|`, `|glc_${letters(60)}|`], ['glsa_x']],
  'sentry-token': [[`|sntrys_${letters(60)}|`], ['sntrys_x']],
  'newrelic-key': [[`|NRAK-${upper(27)}|`], ['NRAK-x']],
  'sonar-token': [[`|sqp_${hex(40)}|`], ['sqp_x']],
  'buildkite-token': [[`|bkua_${hex(40)}|`], ['bkua_x']],
  'circleci-token': [[`|CCIPAT_${letters(22)}_${hex(40)}|`], ['CCIPAT_x']],
  'adafruit-key': [[`|aio_${letters(28)}|`], ['aio_pika']],
  'contentful-token': [[`|CFPAT-${letters(43)}|`], ['CFPAT-x']],
  'mapbox-token': [[`|sk.eyJ${letters(80)}.${letters(22)}|`], [`sk.eyJ`, 'risk.eyJx.y']],
  'dropbox-token': [[`|sl.${letters(130)}|`], ['sl.wikipedia.org']],
  'facebook-token': [[`|EAA${letters(160)}|`], ['EAA', 'EAAshort']],
  'nuget-key': [[`|oy2${letters(43, 'a1b2c3d4')}|`], ['oy2x']],
  'azure-key': [
    [
      `|${letters(37)}AzFu${letters(8)}==|`,
      `|${letters(76)}+ASt${letters(6)}==|`,
      `|${letters(76)}AZDO${letters(4)}|`,
      `|${letters(52)}JQQJ99${letters(26)}|`,
    ],
    ['AzFunctions', 'ACDb of something', `${hex(40)} AZDO`],
  ],
  'other-cloud-token': [
    [
      `|v1.0-${hex(24)}-${hex(146)}|`,
      `|vercel_blob_rw_${letters(40)}|`,
      `|AVNS_${letters(16)}|`,
      `|AQVN${letters(36)}|`,
      `|dt0c01.${upper(24)}.${upper(64)}|`,
      `|API-${upper(26)}|`,
      `|AKCp${letters(60)}|`,
    ],
    ['v1.0-beta', 'vercel_env', 'API-KEY', 't1.micro', 'cfn_stack_name_of_many_letters_and_words'],
  ],
  'other-service-token': [
    [
      `|${'A'.repeat(21)}${letters(60)}|`,
      `|access_token$production$${hex(16)}$${hex(32)}|`,
      `|EZAK${letters(54)}|`,
      `|shippo_live_${hex(40)}|`,
      `|ATTA${letters(64)}|`,
      `|phx_${letters(43)}|`,
      `|1/1201234567890123:${hex(32)}|`,
      `|sgp_${hex(40)}|`,
      `|llx-${letters(48)}|`,
    ],
    [`phc_${letters(43)}`, 'sess-1', 'api-v2', `base64: ${'A'.repeat(30)}`, '1/2 of 10:30'],
  ],
  'prefect-key': [[`|pnu_${letters(36)}|`], ['pnu_x']],
  'authorization-header': [
    [
      'Authorization: |Bearer abc|',
      "curl -H 'Authorization: |Token abc|' https://x.test",
      'Authorization: |Digest username="a b", realm="r", response="c"|',
      `authorization: |AWS4-HMAC-SHA256 Credential=AKIA${upper(16)}/2026, SignedHeaders=host, Signature=${hex(64)}|`,
      '{"Authorization": "|Bearer a b|"}'.replace('a b', 'ab'),
      `Proxy-Authorization: |${letters(20)}|`,
    ],
    [
      'Authorization: Bearer $TOKEN',
      'Authorization: Bearer <token>',
      'Authorization: only the owner may do this',
      `"Authorization": \`Bearer \${token}\``,
      'authorization required',
    ],
  ],
  'scheme-credential': [
    ['|Bearer qwe.rty|', `|bearer ${letters(20)}|, please`, '|Basic dXNlcjpwYXNz|'],
    [
      'bearer of bad news',
      'a basic outline',
      'Basic Auth2.0',
      'basic input/output',
      'Bearer tokens',
      'explain basic arithmetic and save it',
      'basic node.js server',
      'bearer example.com',
    ],
  ],
  'cookie-header': [
    ['Cookie: |sid=abc; theme=dark|', "-H 'Cookie: |sid=abc|' https://x", 'Set-Cookie: |sid=abc; Path=/; HttpOnly|'],
    ['cookie: chocolate chip', 'Cookie banner', 'Set-Cookie: Path'],
  ],
  'url-credential': [
    [
      'https://|ops:hunter|@vault.test/x',
      'postgres://|u:p|@h/db',
      'redis://|:pw|@h:6379',
      `https://|${letters(24)}|@host/x`,
      'mongodb+srv://|u:p@ss|@h/db',
    ],
    [
      'ssh://git@github.com/x',
      'https://example.com:8080/x',
      'http://user@host',
      `https://u:\${PASSWORD}@h`,
      'mailto:a@b.c',
      'https://x.test/@scope/name',
    ],
  ],
  'command-user': [
    ['curl -u bob:|pw| https://x', "curl -s --user 'bob:|p!w|' x", 'wget -q -O - x; http -a bob:|pw| :8080'],
    ['docker run -u 1000:1000 x', 'chown -R a:b /srv', 'curl -u $U:$P x', 'rsync -u a:b c'],
  ],
  'command-password': [
    [
      'mysql -u root -p|hunter2| db',
      'sshpass -p |pw| ssh x',
      'docker login -u me -p |abc| r.test',
      'redis-cli -h x -a |pw| ping',
      'openssl rsa -passin pass:|pw| -in k',
    ],
    ['mysql -u root -p db', 'docker run -p 8080:80 x', 'redis-cli -h x ping', 'mkdir -p a/b', 'ssh -p 22 x'],
  ],
  'command-cookie': [
    ["curl -b '|sid=abc|' https://x", 'curl --cookie |sid=abc| https://x'],
    ['curl -b cookies.txt https://x', 'grep -b a=b x', 'curl --cookie "$JAR" x'],
  ],
  'piped-password': [
    ['gh auth login --with-token <<< |abcdef|', 'sudo -S ls <<< "|a b|"'],
    ['echo hello | sudo tee /etc/motd', 'echo "$PW" | sudo -S ls', 'cat <<< abc', 'echo a | grep -S b'],
  ],
  'cookie-jar': [['# Netscape\n.x.test\tTRUE\t/\tFALSE\t0\tsid\t|abc123|\n'], ['a\tTRUE\tb\tFALSE', 'x\ty\tz\t1\t2\t3\t4']],
  'query-credential': [
    [`https://x/cb?code=|${letters(24)}|&state=1`, `https://x/a?b=1&appid=|${hex(32)}|`, 'https://zoom.us/j/1?pwd=|abcd|'],
    ['https://x/?key=name&code=404', 'https://x/?sig=short', 'code=abc'],
  ],
  'hook-address': [
    [
      `https://open.feishu.cn/open-apis/bot/v2/hook/|${hex(32)}|`,
      'https://hooks.zapier.com/hooks/catch/|1234567/abc123d|/',
      `https://chat.x.test/hooks/|${hex(26)}|`,
    ],
    ['https://open.feishu.cn/open-apis/bot/v2/hook/', 'https://x.test/hooks/useEffect', 'src/hooks/use-outside-click-handler'],
  ],
  'call-argument': [
    [
      "auth=('bob', '|pw|')",
      'c.setPassword("|x y|")',
      "IDENTIFIED BY '|pw|'",
      "get('[name=password]').fill('|pw|')",
      'x.login("a", "|b|")',
    ],
    ['auth=(user, password)', 'setPassword(value)', 'getPassword("Password: ")', "x.login('a')", 'IDENTIFIED BY ?'],
  ],
  'table-column': [
    ['user,password\nbob,|swordfish|\n', 'login;pw\na;|hunter2|'],
    ['name,passed\nbob,yes', 'a, b token\nc, d', '| option | password |\n| --- | --- |\n| min | eight |'],
  ],
  'seed-phrase': [
    ['seed phrase: |legal winner thank year wave sausage worth useful legal winner thank yellow|'],
    ['seed: 42', 'recovery: the words are in the safe of the house that we have left'],
  ],
  'private-jwk': [
    [`{"kty":"RSA","n":"abc","d":"|${letters(43)}|"}`],
    [`{"kty":"RSA","n":"${letters(43)}","e":"AQAB"}`, `{"d":"${letters(43)}"}`],
  ],
  'machine-password': [
    ['machine github.com login foo password |bar|'],
    ['the login page password field', 'login foo then password'],
  ],
  'named-value': [
    [
      '- name: API_KEY\n  value: |abc123def|\n',
      '<add key="Password" value="|hunter2|"/>',
      '{"name": "DB_PASSWORD", "value": "|x y|"}',
      'FROM a\nENV API_KEY |abc123|',
    ],
    [
      '- name: LANG\n  value: C',
      '<add key="Token" value="$(TOKEN)"/>',
      'ENV PATH /usr/bin',
      'name: password_file\nvalue: /run/x',
      'set -x\nls',
    ],
  ],
  'command-flag': [
    [
      'x --password |swordfish| y',
      'x --token |abc123|',
      "x --api-key '|a b|'",
      'x -password |swordfish|',
      'gh auth --with-token=x --secret |abc1|'.replace('=x', ''),
    ],
    [
      'x --token-limit 5',
      'use --token to pass it',
      'the --password flag',
      'x --password $PW',
      'x --password --help',
      'x --password-file /run/x',
      'docker build --secret id=a,src=b',
      'x --keyboard us',
    ],
  ],
  'assigned-value': [
    [
      'DEPLOY_TOKEN=|q1w2e3r4|',
      '?access_token=|abc|&ok=1',
      'a=my_token=|zz|',
      'my_secret-name: "|two words|"',
      '{"error": {"api_key": "|abc|"}}',
      '{\\"password\\":\\"|hunter2|\\"}',
      "password => '|x y|'",
      "config['password'] = '|hunter2|'",
      '<password>|hunter2|</password>',
      'password: |hunter2|',
      'password = |swordfish|',
      'API Key: |a1b2c3d4e5f6|',
      'the token is |a1b2c3d4e5f6g7h8i9|',
      "ALTER USER x WITH PASSWORD '|hunter2|'",
      "{'token': '|abc|'}",
      'const password: string = "|hunter2|"',
      'STRIPE_API_KEY_2=|x1|',
      'X-Api-Key: |abc123|',
      '"password": |1234|',
      'token: "|abc\\"def|"',
      'password: |\n  |hunter2\n  more|\nnext: 1'.replace(': |\n', ': >\n'),
      'the password is |hunter2!|',
      '密码：|abc123|',
      'DB_PASSWORD=|correct horse|\nPATH=/usr/bin',
      'Server=x;Pwd=|My P@ss|;Database=y',
      '\\nAPI_KEY=|abcd|\\nFOO=1',
      'set -x; TOKEN=|abc| npm test',
      'SECRET_KEY_BASE=|abcdef|',
    ],
    [
      'max_tokens: 4096',
      'tokenizer: bpe',
      'password: ',
      'the password must be changed',
      'token count = 12',
      'secret_name: db-credentials',
      'keyboard: us',
      'monkey=banana',
      'token = parser.next()',
      'password: string',
      'if (token == null)',
      'api_key=os.environ["X"]',
      'password=$PASSWORD',
      `token: \${secrets.TOKEN }`,
      'Unexpected token: }',
      'std::token::kind',
      '"token_type": "Bearer"',
      'password: required',
      'primary_key: id',
      'PWD=/home/user',
      'token=token',
      'password=[REDACTED]',
      'api_key: [redacted:OPENAI_API_KEY]',
      'TOKENIZERS_PARALLELISM=false',
      'git commit -m "fix token: handle expiry"',
      'secrets: inherit',
      'HERMES_SESSION_KEY=agent:main:telegram:dm:12345',
      'pass: 12, fail: 0',
      "read('Password: ', stream)",
      'print("token=" + name)',
      'secret: Uint8Array, use: x',
      'const password = colon < 0 ? 1 : 2',
      "x ? 'secret' : 'perhaps'",
      'passwd=%s',
      'the token is required',
      'password: `[hidden]`',
      'SSH_PRIVATE_KEY=/home/user/.ssh/id_ed25519',
    ],
  ],
}

const redactor = makeRedactor()
const namesOfHits = [...secretPatterns.map(({ name }) => name), 'command-flag']

test('every row of the table is tried here, and nothing else', () => {
  assert.equal(Object.keys(rows).sort(), namesOfHits.sort())
})

for (const [name, [takes, leaves]] of Object.entries(rows)) {
  test(`${name} takes out what it is there for`, () => {
    for (const marked of takes) {
      const parts = marked.split('|')
      const text = parts.join('')
      const { text: kept, hits } = redactor.text(text)
      const expected = parts.map((part, at) => (at % 2 === 0 ? part : '#')).join('')
      assert.is(kept.replace(/\[(?:AUTH |PRIVATE KEY )?REDACTED\]/g, '#'), expected, text)
      assert.ok(
        hits.some((hit) => hit.name === name),
        `${text}: ${hits.map((hit) => hit.name)}`,
      )
    }
  })

  test(`${name} leaves what only looks like it`, () => {
    for (const text of leaves) {
      const { text: kept, hits } = redactor.text(text)
      assert.is(kept, text, hits.map((hit) => hit.name).join())
    }
  })
}

test('names are in kebab-case and stand once', () => {
  for (const name of namesOfHits) assert.match(name, /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/)
  assert.is(new Set(namesOfHits).size, namesOfHits.length)
})

test('docs/redaction.md has exactly the rows of the table', () => {
  const page = readProjectFile('docs/redaction.md')
  const told = page.split('\n').flatMap((line) => {
    const [, name, takes, marker] = /^\| `([a-z0-9-]+)` +\| (.+?) +\| `(\[.+\])` +\|$/.exec(line) ?? []
    return name === undefined ? [] : [{ name, takes, marker }]
  })
  assert.equal(
    told,
    secretPatterns.map(({ name, takes, marker }) => ({ name, takes, marker })),
  )
})

test('every text costs no more than its length: twice as long, not four times as dear', () => {
  const dear: string[] = []
  for (const unit of worstUnits) {
    const half = worstText(unit, 32_768)
    const whole = worstText(unit, 65_536)
    // Time of the processor, which a busy machine does not stretch; and noise only adds to it, so the least of some tries counts.
    let least = Number.POSITIVE_INFINITY
    let leastHalf = Number.POSITIVE_INFINITY
    let leastWhole = Number.POSITIVE_INFINITY
    for (let attempt = 0; attempt < 24 && (attempt < 2 || least > ratioMax); attempt += 1) {
      leastHalf = Math.min(leastHalf, spent(half))
      leastWhole = Math.min(leastWhole, spent(whole))
      least = leastWhole / leastHalf
    }
    if (least > ratioMax) dear.push(`${JSON.stringify(unit)}: ${least.toFixed(2)} times as dear, ${leastWhole.toFixed(1)} ms`)
  }
  assert.equal(dear, [])
})

function spent(text: string): number {
  const before = process.cpuUsage()
  redactor.text(text)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

test.run()
