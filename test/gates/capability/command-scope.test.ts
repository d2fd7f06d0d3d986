// Holds the judging of commands against grants to the public fault cases and to the words of a grant, both ways.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readCommandGrant } from '../../../src/gates/capability/command-grant.js'
import { commandScope, isDeniedCommand } from '../../../src/gates/capability/command-scope.js'
import { shellWords } from '../../../src/gates/capability/shell-words.js'
import { makeRandom } from '../../support/seeded-random.js'
import { spelled } from '../../support/shell-lines.js'

const test = suite('command scope')

function grantOf(text: string) {
  const read = readCommandGrant(text)
  if ('problem' in read) throw new Error(`${text}: ${read.problem}`)
  return read.grant
}

/** For each part of the line the best that one of the grants gives it. */
function scopes(line: string, ...grants: readonly string[]): string[] {
  const { commands, unread } = shellWords(line, { home: '/home/ada' })
  if (unread !== undefined) return [unread]
  return commands.map((part) => {
    const found = grants.map((grant) => commandScope(part, grantOf(grant)))
    const best = ['covered', 'covered_if', 'opaque', 'not']
      .map((scope) => found.find((one) => one.scope === scope))
      .find((one) => one !== undefined)
    if (best?.scope === 'covered_if') {
      return best.paths.map(({ operand, access }) => `${access} ${part.operands[operand]?.text}`).join(', ')
    }
    return best?.scope === 'opaque' ? `opaque ${best.word.variable ?? best.word.opaque}` : (best?.scope ?? 'not')
  })
}

function denied(line: string, grant: string): boolean[] {
  return shellWords(line).commands.map((part) => isDeniedCommand(part, grantOf(grant)))
}

test('words, wildcards and the rest are matched one by one', () => {
  const kinds: readonly (readonly [string, string, string])[] = [
    ['git status', 'git status', 'covered'],
    ['git status -s', 'git status', 'not'],
    ['git', 'git status', 'not'],
    ['git log', 'git log ...', 'covered'],
    ['git log -n 5 --all', 'git log ...', 'covered'],
    ['git push', 'git log ...', 'not'],
    ['npm run build', 'npm run *', 'covered'],
    ['npm run', 'npm run *', 'not'],
    ['npm run build x', 'npm run *', 'not'],
    ['npm run test:unit', 'npm run test:*', 'covered'],
    ['npm run retest:unit', 'npm run test:*', 'not'],
    ['a v12', 'a v??', 'covered'],
    ['a v1', 'a v??', 'not'],
    ["a '\u{1f600}'", 'a ?', 'covered'],
    ['git"" "st"atus', 'git status', 'covered'],
    ['Git status', 'git status', 'not'],
    ['gitx status', 'git status', 'not'],
    ["git 'status '", 'git status', 'not'],
  ]
  for (const [line, grant, expected] of kinds) assert.equal(scopes(line, grant), [expected], `${line} under ${grant}`)
})

test('paths need grants of their own, options pass, and none is taken for a path', () => {
  const kinds: readonly (readonly [string, string, string])[] = [
    ['cat a b', 'cat {read}...', 'read a, read b'],
    ['cat -n a', 'cat {read}...', 'read a'],
    ['cat', 'cat {read}...', 'covered'],
    ['cat -- -a', 'cat {read}...', 'read -a'],
    ['cp a b', 'cp {read} {write}', 'read a, write b'],
    ['cp -r a', 'cp {read} {write}', 'not'],
    ['cp a b c', 'cp {read} {write}', 'not'],
    ['rm -- -f', 'rm -- {write}', 'write -f'],
    ['cat ~/a', 'cat {read}', 'read /home/ada/a'],
    ['grep -f/etc/shadow a', 'grep {read}...', 'not'],
    ['grep --file=../x a', 'grep {read}...', 'not'],
    ['grep --color=never a', 'grep {read}...', 'read a'],
    ['grep --file=../x a', 'grep ...', 'covered'],
  ]
  for (const [line, grant, expected] of kinds) assert.equal(scopes(line, grant), [expected], `${line} under ${grant}`)
})

test('case 23: a sign that stands for a part of a word climbs out of no folder, and a `*` alone is any word', () => {
  const kinds: readonly (readonly [string, string, string])[] = [
    ['python3 scripts/make.py', 'python3 scripts/*.py', 'covered'],
    ['python3 scripts/deep/make.py', 'python3 scripts/*.py', 'covered'],
    ['python3 scripts/a..b.py', 'python3 scripts/*.py', 'covered'],
    ['python3 scripts/../x.py', 'python3 scripts/*.py', 'not'],
    ['python3 scripts/a/../../../x.py', 'python3 scripts/*.py', 'not'],
    ['python3 ../x.py', 'python3 *.py', 'not'],
    ['python3 ../lib/x.py', 'python3 ../lib/*.py', 'covered'],
    ['python3 ../lib/../x.py', 'python3 ../lib/*.py', 'not'],
    ['python3 ../../x.py', 'python3 ../*', 'not'],
    ['make --file=../x', 'make --file=*', 'not'],
    ['cd ..', 'cd ??', 'not'],
    ['cd ..', 'cd *', 'covered'],
    ['cd ../..', 'cd *', 'covered'],
    ['git log main..next', 'git log m*', 'covered'],
    ['../../run.sh', '../*', 'not'],
    ['../run.sh', '../*', 'covered'],
    ['LIB=lib/../../x', 'LIB=lib/*', 'not'],
  ]
  for (const [line, grant, expected] of kinds) assert.equal(scopes(line, grant), [expected], `${line} under ${grant}`)
  assert.equal(denied('python3 scripts/../x.py', 'python3 scripts/*'), [true])
  assert.equal(denied('../../run.sh', '../*'), [true])
})

test('case 14: a granted command covers nothing behind its separator', () => {
  for (const separator of [';', '&&', '||', '|', '&', '\n']) {
    assert.equal(scopes(`git log --all${separator}rm -rf x`, 'git log ...'), ['covered', 'not'], separator)
  }
})

test('case 16: what a here-document is written to is no matter of the command grant', () => {
  const line = "cat > /etc/motd <<'E'\nx\nE"
  assert.equal(scopes(line, 'cat'), ['covered'])
  assert.equal(shellWords(line).redirects, [{ target: { text: '/etc/motd' }, access: 'write' }])
})

test('case 17: a wrapper is granted as itself or not at all', () => {
  for (const wrapper of [
    'sudo',
    'env',
    'xargs',
    'nice -n 5',
    'firejail',
    'timeout 5',
    'A=b',
    'command',
    'exec',
    '/usr/bin/env',
  ]) {
    assert.equal(scopes(`${wrapper} git status`, 'git ...', 'status ...'), ['not'], wrapper)
  }
})

test('case 19: a word that nobody can know is named where the grant would have to know it', () => {
  assert.equal(scopes('cat "$SECRET_FILE"', 'cat {read}...'), ['opaque SECRET_FILE'])
  assert.equal(scopes('cat "$SECRET_FILE"', 'cat {read}'), ['opaque SECRET_FILE'])
  assert.equal(scopes('npm run $TASK', 'npm run *', 'npm run build'), ['opaque TASK'])
  assert.equal(scopes('git $WHAT', 'npm run *'), ['not'])
})

test('a word that nobody can know passes behind `...` only for what says its words: else it may be a path that is denied', () => {
  for (const word of ['~/.st?le/key', '$KEY', '"$(cat where)"', '{a,b}/key', '--output=$KEY']) {
    assert.match(scopes(`head -n 1 ${word}`, 'head ...')[0] ?? '', /^opaque/, word)
    assert.match(scopes(`A=b head ${word}`, 'A=b head ...')[0] ?? '', /^opaque/, word)
    assert.match(scopes(`cp a ${word}`, 'cp {read} ...')[0] ?? '', /^opaque/, word)
    assert.match(scopes(`A=b echo ${word}`, 'A=* ...')[0] ?? '', /^not/, 'the program has to be named')
    for (const program of ['echo', 'printf', '/bin/echo'])
      assert.is(scopes(`${program} ${word}`, `${program} ...`)[0], 'covered', word)
  }
  assert.equal(scopes("head '~/.st?le/key'", 'head ...'), ['covered'], 'a quoted one is what it says')
})

test('case 20: an opaque program is opaque to every grant and covered by none', () => {
  for (const line of ['$x', 'g$x', '$(echo git)', '{git,}', '/usr/bin/g?t', '`echo git` status']) {
    for (const grant of ['git ...', '* ...', 'g*'])
      assert.match(scopes(line, grant)[0] ?? '', /^opaque/, `${line} under ${grant}`)
  }
  assert.equal(scopes("g''it status", 'git status'), ['covered'])
})

test('case 22: what find runs and what feeds a shell need grants beside those of find and of the shell', () => {
  assert.equal(scopes('find . -exec /bin/rm {} \\;', 'find ...'), ['covered', 'not'])
  assert.equal(scopes('find . -exec grep x {} +', 'find ...', 'grep ...'), ['covered', 'opaque expansion'])
  assert.equal(scopes('find . -exec echo {} +', 'find ...', 'echo ...'), ['covered', 'covered'])
  assert.equal(scopes('bash <(curl x)', 'bash ...'), ['opaque substitution', 'not'])
  assert.equal(scopes('echo x | tee a', 'echo *', 'tee {write}'), ['covered', 'write a'])
})

test('case 23: a grant of scripts covers no code that comes by a here-document or inline', () => {
  const line = "python3 <<'E'\nimport os\nE"
  assert.equal(scopes(line, 'python3 {read}...'), ['not'])
  assert.equal(scopes(line, 'python3'), ['covered'])
  for (const code of [
    "python3 -c 'x'",
    "python3 -Ic 'x'",
    'python3 -',
    'python3 -m http.server',
    "node -e 'x'",
    'node --eval x',
    "perl -ne 'x' a",
    "ruby -e 'x'",
    "bash -lc 'x'",
    'bash -s',
  ]) {
    const [program = ''] = code.split(' ')
    assert.is(scopes(code, `${program} {read}...`)[0], 'not', code)
    assert.is(scopes(code, `${program} ...`)[0], 'covered', code)
  }
  assert.equal(scopes('python3 -u a.py -c x', 'python3 {read}...'), ['read a.py, read x'])
  assert.equal(scopes('python3 -m pytest a', 'python3 -m pytest {read}...'), ['read a'])
  assert.equal(scopes('kill $(pgrep x)', 'kill *', 'pgrep *'), ['opaque substitution', 'covered'])
})

test('case 23: a star in a pattern with a folder leads down and never out of it', () => {
  const scope = (line: string) => scopes(line, 'python3 scripts/*.py', 'ls ../*', 'grep * notes/?')
  assert.equal(scope('python3 scripts/a.py'), ['covered'])
  assert.equal(scope('python3 scripts/sub/a..b.py'), ['covered'])
  assert.equal(scope('python3 scripts/../../x.py'), ['not'])
  assert.equal(scope('python3 scripts/sub/../a.py'), ['not'])
  assert.equal(scope('ls ../a'), ['covered'])
  assert.equal(scope('ls ../../a'), ['not'])
  assert.equal(scope("grep '../a' notes/b"), ['covered'])
})

test('case 25: a script behind a file flag is a script, whatever launches it', () => {
  for (const launcher of [
    'powershell -f',
    'powershell -File',
    'pwsh -File',
    'pwsh -f',
    'pwsh',
    'pwsh -NoProfile',
    'powershell.exe -NoProfile -ExecutionPolicy Bypass -File',
  ]) {
    const [program = ''] = launcher.split(' ')
    assert.match(scopes(`${launcher} build.ps1`, `${program} {read}...`)[0] ?? '', /read build\.ps1$/, launcher)
  }
  for (const code of [
    "powershell -c 'rm x'",
    "powershell -Command 'rm x'",
    'powershell -enc AAAA',
    "powershell 'rm x'",
    "pwsh -c 'rm x'",
    'pwsh -',
    "cmd /c 'del x'",
  ]) {
    const [program = ''] = code.split(' ')
    assert.equal(scopes(code, `${program} {read}...`), ['not'], code)
  }
})

test('case 26: a grant matches the spelling that was approved and its normalised form, and nothing else', () => {
  for (const spelling of ['./run.sh', '././run.sh', './/run.sh', "'./run.sh'"])
    assert.equal(scopes(spelling, './run.sh'), ['covered'], spelling)
  for (const other of ['run.sh', '../run.sh', '/run.sh', './bin/run.sh', './run.sh/', 'x/./run.sh']) {
    assert.is(scopes(other, './run.sh')[0] === 'covered', other === './run.sh/', other)
  }
  for (const spelling of ['bin/run.sh', './bin/run.sh', 'bin//run.sh', './bin/./run.sh']) {
    for (const grant of ['bin/run.sh', './bin/run.sh'])
      assert.equal(scopes(spelling, grant), ['covered'], `${spelling} under ${grant}`)
  }
  assert.equal(scopes('./run.sh', 'run.sh'), ['not'])
  assert.equal(scopes('bin/../run.sh', './run.sh'), ['not'])
  assert.equal(scopes('bin/../run.sh', 'bin/../run.sh'), ['covered'])
  assert.equal(scopes('../run.sh', '.././run.sh'), ['covered'])
})

test('a program with a folder is another than the name alone', () => {
  assert.equal(scopes('/usr/bin/git status', 'git status'), ['not'])
  assert.equal(scopes('/usr/bin/git status', '/usr/bin/git status'), ['covered'])
  assert.equal(scopes('git status', '/usr/bin/git status'), ['not'])
  assert.equal(scopes('./git status', 'git ...'), ['not'])
  assert.equal(scopes('git/../evil', 'git*'), ['not'])
  assert.equal(scopes("'git\\..\\evil'", 'git*'), ['not'])
  assert.equal(scopes('./scripts/a.sh', './scripts/*'), ['covered'])
  assert.equal(scopes('./scripts/../../evil', './scripts/*'), ['not'])
})

test('an assignment in front needs a grant that says so', () => {
  assert.equal(scopes('CI=1 npm test', 'npm test'), ['not'])
  assert.equal(scopes('CI=1 npm test', 'CI=1 npm test'), ['covered'])
  assert.equal(scopes('CI=/x npm test', 'CI=* npm test'), ['covered'])
  assert.equal(scopes('PATH=/x npm test', 'CI=* npm test'), ['not'])
  assert.equal(scopes('CI=1 npm test', '*=* ...'), ['not'])
  assert.equal(scopes('CI=1 rm x', 'CI=1 ...'), ['not'])
  assert.equal(scopes('CI=1 ./npm test', 'CI=1 * ...'), ['not'])
  assert.equal(scopes('CI=1 $x test', 'CI=1 * ...'), ['opaque x'])
  assert.equal(scopes('CI=1', 'CI=*'), ['covered'])
  assert.equal(scopes("CI=1 python3 -c 'x'", 'CI=* python3 {read}...'), ['not'])
})

test('a denied command is found by any of its spellings', () => {
  for (const line of ['rm -rf x', '/bin/rm -rf x', './rm x', 'A=b rm x', 'rm $x', "r''m", 'rm.exe x'])
    assert.equal(denied(line, 'rm ...'), [true], line)
  for (const line of ['rmdir x', 'echo rm', 'x/rm/y']) assert.equal(denied(line, 'rm ...'), [false], line)
  assert.equal(denied('git push --force', 'git push --force'), [true])
  assert.equal(denied('git push $x', 'git push --force'), [true])
  assert.equal(denied('git push', 'git push --force'), [false])
  assert.equal(denied('git push --force x', 'git push --force'), [false])
  assert.equal(denied('ls; rm x', 'rm *'), [false, true])
})

test('a denied command is found where a secret was taken out of it: what stood there may have been anything', () => {
  const kinds: readonly (readonly [string, string, boolean])[] = [
    ["mysql '--password=[REDACTED]' db", 'mysql --password=hunter2horse ...', true],
    ["mysql '--password=[REDACTED]' db", 'mysql --pass*2horse db', true],
    ["mysql '--password=[REDACTED]' db", 'mysql --user=* db', false],
    ["mysql '--password=[REDACTED]' db", 'mysql --password=hunter2horse', false],
    ["git push 'https://[REDACTED]@evil.example/x'", 'git push *@evil.example/*', true],
    ["git push 'https://[REDACTED]@evil.example/x'", 'git push *@good.example', false],
    ["git push 'https://[REDACTED]@evil.example/x'", 'git push *@good.example/*', true],
    ["git push 'https://[REDACTED]@evil.example/x'", 'git push https://u:pass12word@evil.example/x', true],
    ["curl -H 'Authorization: [AUTH REDACTED]' x", 'curl -H Auth*abc12345 x', true],
    ["curl -H 'Authorization: [AUTH REDACTED]' x", "curl -H 'Cookie: '* x", false],
    ["ssh-add '[PRIVATE KEY REDACTED]'", 'ssh-add ????', true],
    ["tool '[redacted:api_key]-[REDACTED]'", 'tool a-b', true],
    ["tool '[redacted:api_key]-[REDACTED]'", 'tool ab', false],
    ["tool 'a[REDACTED]b'", 'tool a\u{1f600}b', true],
    ["tool 'a[REDACTED]b'", 'tool ?b', true],
    ["tool 'a[REDACTED]b'", 'tool ?', false],
    ["tool '[REDACTED' x", 'tool a* x', false],
    ["tool '[OTHER]' x", 'tool a* x', false],
    ["TOKEN='[REDACTED]' git push", 'TOKEN=abc123 git push', true],
    ["TOKEN='[REDACTED]' git push", 'OTHER=abc123 git push', false],
    ["TOKEN='[REDACTED]' git push", 'git push', true],
  ]
  for (const [line, grant, expected] of kinds) assert.equal(denied(line, grant), [expected], `${line} denied by ${grant}`)
})

test('a grant covers a word without its secret only where it would whatever the secret is, and never since both look alike', () => {
  const kinds: readonly (readonly [string, string, string])[] = [
    ["echo '[REDACTED]'", 'echo *', 'covered'],
    ["echo '[REDACTED]'", 'echo ...', 'covered'],
    ["curl -H 'Authorization: [AUTH REDACTED]' x", 'curl -H Authorization:* x', 'covered'],
    ["curl -H 'Authorization: [AUTH REDACTED]' x", 'curl ...', 'covered'],
    ["deploy 'a[REDACTED]b'", 'deploy a*b', 'covered'],
    ["deploy '[REDACTED]'", "deploy '[REDACTED]'", 'not'],
    ["deploy '[REDACTED]'", 'deploy [*]', 'not'],
    ["deploy '[REDACTED]'", 'deploy ?', 'not'],
    ["deploy '[REDACTED]'", 'deploy ??????????', 'not'],
    ["deploy '[REDACTED]'", 'deploy abc123', 'not'],
    ["deploy 'a[REDACTED]'", 'deploy *D]', 'not'],
    ["TOKEN='[REDACTED]' git push", 'TOKEN=* git push', 'covered'],
    ["TOKEN='[REDACTED]' git push", "TOKEN='[REDACTED]' git push", 'not'],
    ["TOKEN='[REDACTED]' git push", 'TOKEN=abc123 git push', 'not'],
    ["cat -n '[REDACTED]'", 'cat {read}...', 'read [REDACTED]'],
    ["grep '--token=[REDACTED]' a", 'grep {read}...', 'opaque undefined'],
    ["grep -- '--token=[REDACTED]'", 'grep {read}...', 'read --token=[REDACTED]'],
  ]
  for (const [line, grant, expected] of kinds) assert.equal(scopes(line, grant), [expected], `${line} under ${grant}`)
})

test('a secret that is taken out makes no denied command free, and no other text in its place escapes the grant', () => {
  const random = makeRandom(82)
  const signs = ['a', 'b', '*', '?', '\u{1f600}', '[', '=']
  const textOf = (most: number, from: readonly string[]) =>
    Array.from({ length: random.int(most + 1) }, () => random.pick(from)).join('')
  const plain = signs.filter((sign) => sign !== '*' && sign !== '?')
  const part = (word: string) => ({ program: { text: 'x' }, operands: [{ text: word }] })
  let [found, covered] = [0, 0]
  for (let round = 0; round < 20_000; round += 1) {
    const [before, secret, behind] = [textOf(2, plain), textOf(3, plain), textOf(2, plain)]
    const pattern = textOf(4, signs)
    const grant = ['x', pattern].map((word) => ({ kind: 'word', pattern: word }) as const)
    const [whole, kept] = [part(before + secret + behind), part(`${before}[REDACTED]${behind}`)]
    const about = JSON.stringify([pattern, before, secret, behind])
    if (isDeniedCommand(whole, grant)) {
      found += 1
      assert.ok(isDeniedCommand(kept, grant), about)
    }
    if (commandScope(kept, grant).scope === 'covered') {
      covered += 1
      assert.is(commandScope(whole, grant).scope, 'covered', about)
    }
  }
  assert.ok(found > 500 && covered > 500, `${found} ${covered}`)
})

test('a long word of which much was taken out is judged in the time that others take', () => {
  const word = `${'a[REDACTED]'.repeat(5_000)}b`
  const started = performance.now()
  assert.equal(denied(`x '${word}'`, `x ${'*a?'.repeat(30)}b`), [true])
  assert.equal(denied(`x '${word}'`, `x ${'*a?'.repeat(30)}c`), [false])
  assert.ok(performance.now() - started < 5_000)
})

test('another spelling of a command never changes what a grant says to it', () => {
  const random = makeRandom(81)
  const words = ['git', 'log', '-n', 'a b', '*', './x', ';', '--k=v', '..', '-']
  const grants = ['git ...', 'git log ...', 'git {read}...', 'git log {read}', 'git * *', './x {write}', 'git -n -n']
  for (let round = 0; round < 2_000; round += 1) {
    const line = [random.pick(['git', './x']), ...Array.from({ length: random.int(4) }, () => random.pick(words))]
    const grant = random.pick(grants)
    const plain = scopes(line.map((word) => spelled(word, makeRandom(0), true)).join(' '), grant)
    assert.equal(
      scopes(line.map((word) => spelled(word, random, true)).join(' '), grant),
      plain,
      `${line.join('|')} under ${grant}`,
    )
  }
})

test.run()
