// stele policy: the owner's file of grants, looked through and compared before it is in force.
import { existsSync } from 'node:fs'
import { Command } from 'commander'
import { exitCodes, SteleError } from '../foundation/stele-error.js'
import { terminalText } from '../foundation/terminal-text.js'
import type { Grant } from '../gates/capability/allowlist.js'
import { type GrantChange, type PolicyChange, policyChange } from '../gates/capability/policy-change.js'
import type { PolicyProblem } from '../gates/capability/policy-problem.js'
import { pathStyle, policyBytes, policyFile, readPolicy, usablePolicy } from '../service/policy-file.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { withOwnService } from './own-service.js'
import { type OwnerOptions, ownersVerb, withOwnerOptions } from './owner.js'
import { serviceStatus } from './status.js'
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
    .addCommand(showCommand())
    .addCommand(useCommand())
}

function showCommand() {
  return newCommand('show', 'show the allowlist in force, and what waits for the owner', [
    'stele policy show',
    'stele policy show --json',
  ])
    .addHelpText('after', '\nWithout a service nothing is in force: then use `stele policy lint` on the file.')
    .action(async (options: SharedOptions) => {
      const status = await serviceStatus(homeOf(options).files.home)
      if (status?.policy === undefined) throw new SteleError('SERVICE_UNREACHABLE')
      const { policy } = status
      if (options.json) return printData(`${JSON.stringify(policy)}\n`)
      if (policy.text === null) print(`No allowlist is in force, so nothing is granted. Its place is ${policy.file}.`)
      else {
        print(`# in force: ${policy.digest?.slice(0, 12) ?? 'nothing'}, from ${policy.file}`)
        printData(policy.text.endsWith('\n') ? policy.text : `${policy.text}\n`)
      }
      if (policy.rejected !== null)
        print(`\nThe file as it is cannot be used (${policy.rejected.code}): run \`stele policy lint ${policy.file}\`.`)
      if (policy.waiting === null) return
      print('\nIts file asks for more. Until `stele policy use` only what both grant is granted:')
      printChange(policy.waiting.change)
    })
}

function useCommand() {
  return withOwnerOptions(
    newCommand('use', 'put an allowlist into force, or the one that waits', [
      'stele policy use',
      'stele policy use ./allowlist.yaml',
      'stele policy use 3f9a1c02   # one that was in force before, by its digest',
    ]),
  )
    .argument('[file]', 'the file of grants, or the beginning of a digest of `stele log --type policy.activated`')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SharedOptions & OwnerOptions>()
      const home = homeOf(options)
      const wanted = wantedPolicy(file)
      const answer = await withOwnService(home, () =>
        ownersVerb<{ digest: string; file: string }>(home, options, {
          question:
            file === undefined ? 'This takes up the allowlist that waits. Go on?' : `This puts ${file} into force. Go on?`,
          path: '/v1/owner/policy-use',
          body: wanted,
          alone: () => Promise.reject(new SteleError('SERVICE_UNREACHABLE')),
        }),
      )
      if (options.json) return printData(`${JSON.stringify(answer)}\n`)
      print(`The allowlist ${answer.digest.slice(0, 12)} is in force, as ${answer.file}.`)
    })
}

/** Looked through here first, where everything that is wrong can be told. Throws `POLICY_INVALID`, `FILE_UNREADABLE`. */
function wantedPolicy(file: string | undefined): { readonly text?: string; readonly digest?: string } {
  if (file === undefined) return {}
  if (!existsSync(file) && /^[0-9a-f]{8,64}$/.test(file)) return { digest: file }
  usablePolicy(readPolicy(policyFile(file), process.env), { file })
  return { text: Buffer.from(policyBytes(file)).toString('utf8') }
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
      printChange(change)
    })
}

function printChange({ isNarrower, grants, rules }: PolicyChange): void {
  for (const change of grants) printGrant(change)
  for (const { kind, part, text } of rules) printPart(kind, `${part}: ${text}`, '')
  if (grants.length === 0 && rules.length === 0) print('Both grant the same.')
  else if (isNarrower) print('The second grants nothing that the first does not.')
  else print('The second grants more than the first, or what it grants cannot be compared: it needs the owner.')
}

function printGrant({ kind, skill, after, before, parts }: GrantChange): void {
  printStyled(styled('bold', `${skill}: grant ${kind}${contextOf(after ?? before)}`))
  for (const { kind: change, part, text } of parts) printPart(change, `${part}: ${text}`, '  ')
}

function contextOf(grant: Grant | undefined): string {
  const { when } = grant ?? {}
  const named = Object.entries(when ?? {}).map(
    ([name, value]) => `${name}: ${Array.isArray(value) ? value.join(' or ') : String(value)}`,
  )
  return named.length === 0 ? '' : ` (${named.join(', ')})`
}

function printPart(kind: 'added' | 'removed', text: string, indent: string): void {
  printStyled(`${indent}${kind === 'added' ? styled('green', `+ ${text}`) : styled('red', `- ${text}`)}`)
}
