// stele completion: a script for the shell, made from the commands there are.
import { Command } from 'commander'
import { invalidOption } from './options.js'
import { printData } from './terminal.js'

export function completionCommand(program: Command) {
  return new Command('completion')
    .description('print a completion script for bash, zsh or fish')
    .argument('<shell>', 'bash, zsh or fish')
    .addHelpText(
      'after',
      '\nExamples:\n  $ eval "$(stele completion bash)"\n  $ stele completion fish > ~/.config/fish/completions/stele.fish',
    )
    .action(async (shell: string) => {
      const write = scripts[shell]
      if (write === undefined) throw invalidOption('<shell>', 'bash, zsh or fish')
      await printData(write(wordsOf(program)))
    })
}

interface CommandWords {
  readonly name: string
  readonly summary: string
  /** Options and subcommands. */
  readonly words: readonly string[]
}

function wordsOf(program: Command): CommandWords[] {
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.description(),
    words: [
      ...command.commands.map((sub) => sub.name()),
      ...command.options.map((option) => option.long ?? option.short ?? ''),
      '--help',
    ],
  }))
}

const scripts: Readonly<Record<string, (commands: readonly CommandWords[]) => string>> = {
  bash: (commands) => `_stele() {
  local word="\${COMP_WORDS[COMP_CWORD]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, words }) => `    ${name}) COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$word")) ;;`).join('\n')}
  esac
  [ \${#COMPREPLY[@]} -eq 0 ] && COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _stele stele
`,
  zsh: (commands) => `#compdef stele
_stele() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, summary }) => `      '${name}:${summary.replaceAll("'", '’')}'`).join('\n')}
    )
    _describe command commands
    return
  fi
  case "$words[2]" in
${commands.map(({ name, words }) => `    ${name}) compadd -- ${words.join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _stele stele
`,
  fish: (commands) =>
    commands
      .flatMap(({ name, summary, words }) => [
        `complete -c stele -n __fish_use_subcommand -a ${name} -d '${summary.replaceAll("'", '’')}'`,
        ...words.map((word) =>
          word.startsWith('--')
            ? `complete -c stele -n '__fish_seen_subcommand_from ${name}' -l ${word.slice(2)}`
            : `complete -c stele -n '__fish_seen_subcommand_from ${name}' -a ${word}`,
        ),
      ])
      .join('\n')
      .concat('\n'),
}
