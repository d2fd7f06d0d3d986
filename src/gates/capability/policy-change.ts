// What another allowlist would change, for the owner who has to say yes to it: whether it is narrower, and grant by grant what is new, gone,
// wider or narrower.
import { canonicalJson } from '../../foundation/canonical-json.js'
import type { Allowlist, Grant, GrantContext, PathGrant, PathStyle } from './allowlist.js'
import { commandGrantText } from './command-grant.js'
import { coversGrant, policyCover } from './policy-cover.js'

export interface PolicyChange {
  /** Nothing that it allows is denied or asked about today: it may be in force at once. By spelling, so that false may be too careful. */
  readonly isNarrower: boolean
  /** In the order of the skills, the old ones first. */
  readonly grants: readonly GrantChange[]
  /** What has to be approved, and what is denied whatever is granted. */
  readonly rules: readonly RuleChange[]
}

export interface GrantChange {
  readonly kind: 'added' | 'removed' | 'widened' | 'narrowed' | 'changed'
  readonly skill: string
  readonly before?: Grant
  readonly after?: Grant
  readonly parts: readonly PartChange[]
}

/** One thing within a grant, as it would be written in the file. */
export interface PartChange {
  readonly kind: 'added' | 'removed'
  readonly part: 'tools' | 'paths' | 'commands' | 'when' | 'expires'
  readonly text: string
}

export interface RuleChange {
  readonly kind: 'added' | 'removed'
  readonly part: 'require_approval' | 'deny.tools' | 'deny.paths' | 'deny.commands'
  readonly text: string
}

export function policyChange(before: Allowlist, after: Allowlist, style: PathStyle): PolicyChange {
  const names = new Set([...before.skills, ...after.skills].map(({ name }) => name))
  return {
    isNarrower: policyCover(before, after, style),
    grants: [...names].flatMap((name) => grantChanges(name, grantsOf(before, name), grantsOf(after, name), style)),
    rules: [
      ...ruleChanges('require_approval', before.requireApproval, after.requireApproval),
      ...ruleChanges('deny.tools', before.deny.tools, after.deny.tools),
      ...ruleChanges('deny.paths', before.deny.paths.map(pathText), after.deny.paths.map(pathText)),
      ...ruleChanges('deny.commands', before.deny.commands.map(commandGrantText), after.deny.commands.map(commandGrantText)),
    ],
  }
}

/** The text by which an allowlist is known: equal allowlists have equal texts. */
export function allowlistText(allowlist: Allowlist): string {
  return canonicalJson(allowlist)
}

function grantsOf({ skills }: Allowlist, name: string): readonly Grant[] {
  return skills.find((skill) => skill.name === name)?.grants ?? []
}

/** What is equal is left out; the others are paired by their context, then in their order, since a grant has no name. */
function grantChanges(skill: string, before: readonly Grant[], after: readonly Grant[], style: PathStyle): GrantChange[] {
  const old = without(before, after)
  const fresh = without(after, before)
  const pairs: [Grant, Grant][] = []
  for (const isPair of [hasSameContext, () => true]) {
    for (const one of [...old]) {
      const other = fresh.find((grant) => isPair(one, grant))
      if (other === undefined) continue
      pairs.push([one, other])
      old.splice(old.indexOf(one), 1)
      fresh.splice(fresh.indexOf(other), 1)
    }
  }
  return [
    ...pairs.map(([one, other]) => changed(skill, one, other, style)),
    ...old.map((grant): GrantChange => ({ kind: 'removed', skill, before: grant, parts: partChanges(grant, undefined) })),
    ...fresh.map((grant): GrantChange => ({ kind: 'added', skill, after: grant, parts: partChanges(undefined, grant) })),
  ]
}

function without(grants: readonly Grant[], others: readonly Grant[]): Grant[] {
  const known = new Set(others.map(canonicalJson))
  return grants.filter((grant) => !known.has(canonicalJson(grant)))
}

function hasSameContext(one: Grant, other: Grant): boolean {
  return contextText(one.when) === contextText(other.when)
}

function changed(skill: string, before: Grant, after: Grant, style: PathStyle): GrantChange {
  const isNarrowed = coversGrant(before, after, style)
  const kind = isNarrowed ? 'narrowed' : coversGrant(after, before, style) ? 'widened' : 'changed'
  return { kind, skill, before, after, parts: partChanges(before, after) }
}

function partChanges(before: Grant | undefined, after: Grant | undefined): PartChange[] {
  return (Object.keys(partTexts) as PartChange['part'][]).flatMap((part) => {
    const [old, fresh] = [before, after].map((grant) => (grant === undefined ? [] : partTexts[part](grant)))
    return listChanges(old ?? [], fresh ?? []).map((change) => ({ part, ...change }))
  })
}

const partTexts: Readonly<Record<PartChange['part'], (grant: Grant) => readonly string[]>> = {
  tools: ({ tools }) => tools,
  paths: ({ paths }) => paths.map(pathText),
  commands: ({ commands }) => commands.map(commandGrantText),
  when: ({ when }) => (when === undefined ? [] : [contextText(when)]),
  expires: ({ expires }) => (expires === undefined ? [] : [expires]),
}

function ruleChanges(part: RuleChange['part'], before: readonly string[], after: readonly string[]): RuleChange[] {
  return listChanges(before, after).map((change) => ({ part, ...change }))
}

function listChanges(before: readonly string[], after: readonly string[]): { kind: 'added' | 'removed'; text: string }[] {
  return [
    ...before.filter((text) => !after.includes(text)).map((text) => ({ kind: 'removed' as const, text })),
    ...after.filter((text) => !before.includes(text)).map((text) => ({ kind: 'added' as const, text })),
  ]
}

function pathText({ pattern, access, resolvedPattern }: PathGrant): string {
  const leads = resolvedPattern === undefined ? '' : ` (leads to ${resolvedPattern})`
  return `${access === 'any' ? pattern : `${pattern} (${access})`}${leads}`
}

function contextText(when: GrantContext | undefined): string {
  if (when === undefined) return ''
  const { platform, job, subagent } = when
  return [
    ...(platform === undefined ? [] : [`platform: ${platform.join(' or ')}`]),
    ...(job === undefined ? [] : [`job: ${job.join(' or ')}`]),
    ...(subagent === undefined ? [] : [`subagent: ${subagent}`]),
  ].join(', ')
}
