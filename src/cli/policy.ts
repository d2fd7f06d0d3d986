// stele policy: the owner's file of grants, looked through and compared before it is in force.
import { Command } from 'commander'
import { exitCodes } from '../foundation/stele-error.js'
import { terminalText } from '../foundation/terminal-text.js'
import { policyChange } from '../gates/capability/policy-change.js'
import type { PolicyProblem } from '../gates/capability/policy-problem.js'
import { pathStyle, policyFile, readPolicy, usablePolicy } from '../service/policy-file.js'
import { newCommand, type SharedOptions } from './command.js'
import { policySuggestCommand } from './policy-suggest.js'
import { policyShowCommand, policyUseCommand } from './policy-use.js'
import { printPolicyChange } from './print-policy-change.js'
import { print, printData, printStyled, styled } from './terminal.js'

export function policyCommand() {
  return new Command('policy')
    .description('the allowlist: what the agent may use')
    .addHelpText(
      'after',
      '\nExamples:\n  $ stele policy lint ./allowlist.yaml\n  $ stele policy diff ./allowlist.yaml ./new.yaml',
    )
    .addCommand(lintCommand())
    .addCommand(diffCommand())
    .addCommand(policySuggestCommand())
    .addCommand(policyShowCommand())
    .addCommand(policyUseCommand())
}

function lintCommand() {
  return newCommand('lint', 'tell everything that is wrong with an allowlist, each with its place', [
    'stele policy lint ./allowlist.yaml',
    'stele policy lint ./allowlist.yaml --json',
  ])
    .argument('<file>', 'the file of grants')
    .addHelpText('after', '\nExit code 2 where there is an error; warnings leave it at 0.')
    .action(async (file: string, options: SharedOptions) => {
      const { problems } = readPolicy(policyFile(file), process.env)
      const errors = problems.filter(({ severity }) => severity === 'error').length
      if (errors > 0) process.exitCode = exitCodes.input
      if (options.json) return printData(`${JSON.stringify({ file, ok: errors === 0, problems })}\n`)
      for (const problem of problems) printProblem(file, problem)
      if (options.quiet) return
      const warnings = problems.length - errors
      print(
        errors === 0
          ? `The allowlist can be used${warnings === 0 ? '.' : `; ${counted(warnings, 'warning')}.`}`
          : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}: this allowlist is not used.`,
      )
    })
}

function printProblem(file: string, { severity, code, line, column, message }: PolicyProblem): void {
  // A warning that takes all protection away is told as loudly as an error.
  const colour = severity === 'error' || code === 'every_command' ? 'red' : 'yellow'
  printStyled(`${styled('bold', `${file}:${line}:${column}`)} ${styled(colour, `${severity} ${code}`)} ${terminalText(message)}`)
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

function diffCommand() {
  return newCommand('diff', 'say what another allowlist would change, grant by grant', [
    'stele policy diff ./allowlist.yaml ./new.yaml',
  ])
    .argument('<before>', 'the file of grants as it is')
    .argument('<after>', 'as it would be')
    .action(async (before: string, after: string, options: SharedOptions) => {
      const [old, fresh] = [before, after].map((file) => usablePolicy(readPolicy(policyFile(file), process.env), { file }))
      if (old === undefined || fresh === undefined) return
      const change = policyChange(old, fresh, pathStyle)
      if (options.json) return printData(`${JSON.stringify(change)}\n`)
      printPolicyChange(change)
    })
}
