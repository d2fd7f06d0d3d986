// What another allowlist would change, told at the terminal: grant by grant, then what counts whatever is granted.
import type { Grant } from '../gates/capability/allowlist.js'
import type { GrantChange, PolicyChange } from '../gates/capability/policy-change.js'
import { print, printStyled, styled } from './terminal.js'

export function printPolicyChange({ isNarrower, grants, rules }: PolicyChange): void {
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
