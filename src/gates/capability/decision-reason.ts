// The reason of a denial or a question, in words: what was missing, and how the owner could grant it. The model reads it too, so it names no
// other way to the same end.

import type { CommandPart, CommandWord, Touch } from './access.js'
import { commandGrantText } from './command-grant.js'
import type { CapabilityCall, Finding } from './decide.js'
import { lacksText } from './unknown-text.js'

export function decisionReason(finding: Finding, call: CapabilityCall): string {
  return `${finding.code}: ${sentences[finding.code](finding, call)}`
}

type Told = (finding: Finding, call: CapabilityCall) => string

const sentences: Readonly<Record<Finding['code'], Told>> = {
  policy_unavailable: () =>
    'no allowlist is in force, and what is not granted does not run. The owner writes one and puts it into force with `stele policy use`.',
  skill_not_listed: (_, { tool, skill }) =>
    `${skillOf(skill)} is not listed, so it may not use ${shown(tool)}. ${owner(`skills: { ${yaml(bucketOf(skill))}: { tools: [${yaml(tool)}] } }`)}`,
  tool_not_granted: (_, { tool, skill }) =>
    `${skillOf(skill)} has no grant of the tool ${shown(tool)}. ${owner(underSkill(skill, `tools: [${yaml(tool)}]`))}`,
  path_not_granted: (finding, call) => pathNotGranted(finding, call),
  path_dangling: ({ touch }, { tool }) =>
    `${pathOf(touch)}, which ${shown(tool)} would ${verbOf(touch)}, is a link to nothing: where it will lead cannot be judged.`,
  path_looping: ({ touch }, { tool }) => `${pathOf(touch)}, which ${shown(tool)} would ${verbOf(touch)}, is a link in a circle.`,
  path_unreadable: ({ touch }, { tool }) =>
    touch === undefined
      ? `the arguments of ${shown(tool)} are of a shape in which its paths cannot be found.`
      : `${pathOf(touch)}, which ${shown(tool)} would ${verbOf(touch)}, cannot be looked at, or is no path.`,
  path_unresolved: ({ touch }, { tool }) =>
    `where ${pathOf(touch)}, which ${shown(tool)} would ${verbOf(touch)}, leads cannot be said from here.`,
  approval_required: (_, { tool }) =>
    `the owner approves each call of ${shown(tool)} by hand (\`require_approval\` in the allowlist).`,
  denied_explicitly: ({ touch, part, denied }, { tool }) => {
    const entry = `the deny list of the allowlist (${shown(denied ?? '')})`
    if (part !== undefined) return `the command ${commandOf(part)} is on ${entry}, which wins over every grant.`
    return touch === undefined
      ? `the tool ${shown(tool)} is on ${entry}, which wins over every grant.`
      : `${pathOf(touch)}, which ${shown(tool)} would ${verbOf(touch)}, is on ${entry}, which wins over every grant.`
  },
  grant_expired: ({ touch, part }, { tool, skill }) => {
    const what =
      part !== undefined
        ? `the command ${commandOf(part)}`
        : touch !== undefined
          ? `${pathOf(touch)} for ${shown(tool)}`
          : `the tool ${shown(tool)}`
    return `the grant of ${what} to ${skillOf(skill)} has expired. The owner can set a later day under \`expires\` in the allowlist.`
  },
  command_not_granted: ({ part }, { tool, skill }) => {
    if (part === undefined) return `${shown(tool)} was handed no command that could be granted.`
    const lacking = `${skillOf(skill)} has no grant of the command ${commandOf(part)}.`
    const grant = grantText(part)
    return grant === undefined ? lacking : `${lacking} ${owner(underSkill(skill, `commands: [${yaml(grant)}]`))}`
  },
  command_opaque: ({ word, part }, { tool }) => {
    if (word === undefined)
      return `the command line of ${shown(tool)} cannot be read with certainty, so nobody can say what it would run.`
    const why = lacksText(word.text)
      ? `what was taken out of \`${shown(word.text)}\` as a secret is known to nobody here`
      : word.variable === undefined
        ? `\`${shown(word.text)}\` is known to a shell alone`
        : `the variable ${shown(word.variable)} is known to a shell alone`
    return `${why}, so nobody can say what ${part === undefined ? 'would run' : `${commandOf(part)} would do`}.`
  },
  self_protected: ({ protection, touch, part }, { tool }) => {
    const what = protection === undefined ? 'a part of Stele' : places[protection.what]
    const how =
      part !== undefined
        ? `the command ${commandOf(part)} reaches`
        : `${shown(tool)} would ${verbOf(touch)} ${pathOf(touch)}, which reaches`
    return `${how} ${what}, and no grant reaches that while the gate enforces. Its owner changes it by hand (\`stele policy use\`, \`stele config\`).`
  },
}

const places: Readonly<Record<string, string>> = {
  home: 'the home of Stele',
  plugin: 'the plugin of Stele',
  allowlist: 'the allowlist',
  host_settings: 'the settings of the host',
  socket: 'the socket of Stele',
  program: 'the program of Stele',
}

function pathNotGranted({ touch, lacks, part }: Finding, { tool, skill }: CapabilityCall): string {
  const by = part === undefined ? shown(tool) : `the command ${commandOf(part)}`
  const path = lacks === 'resolved' ? touch?.resolved : touch?.typed
  const which = lacks === 'resolved' ? `${pathOf(touch)} leads to ${shown(touch?.resolved ?? '')}, which` : pathOf(touch)
  const lacking = `${which} is granted to ${skillOf(skill)} by nothing, and ${by} would ${verbOf(touch)} it`
  if (path === undefined || path === null || path.length > shownMax || /[*?]/.test(path)) return `${lacking}.`
  const pattern = touch?.tree === true ? `${path.replace(/\/$/, '')}/**` : path
  return `${lacking}. ${owner(underSkill(skill, `paths: [{ path: ${yaml(pattern)}, access: ${touch?.access ?? 'read'} }]`))}`
}

/** As it was asked for, and where that is by its spelling. */
function pathOf(touch: Touch | undefined): string {
  if (touch === undefined) return 'a path'
  const { asked, typed } = touch
  return typed === null || typed === asked ? quoted(asked) : `${quoted(asked)} (${shown(typed)})`
}

function verbOf(touch: Touch | undefined): string {
  return touch?.access === 'write' ? 'write' : 'read'
}

function skillOf(skill: string): string {
  return skill === '' || skill === '*' ? 'the skill `*` (calls that name none)' : `the skill ${quoted(skill)}`
}

function bucketOf(skill: string): string {
  return skill === '' ? '*' : skill
}

function owner(line: string): string {
  return `The owner can grant it in the allowlist: \`${line}\`, then \`stele policy use\`.`
}

function underSkill(skill: string, line: string): string {
  return `skills: { ${yaml(bucketOf(skill))}: { ${line} } }`
}

/** A text in double quotes is the same in JSON and in YAML. */
function yaml(text: string): string {
  return JSON.stringify(shown(text))
}

function commandOf({ program, operands }: CommandPart): string {
  return quoted([program, ...operands].map(({ text }) => text).join(' '))
}

/** The grant that would be just enough; undefined where written down it would grant more, or would not fit here. */
function grantText({ program, operands }: CommandPart): string | undefined {
  const words: readonly CommandWord[] = [program, ...operands]
  if (words.some(({ text, opaque }) => opaque !== undefined || lacksText(text) || /[*?$~]/.test(text))) return undefined
  const text = commandGrantText(words.map((word) => ({ kind: 'word', pattern: word.text })))
  return text.length > shownMax ? undefined : text
}

function quoted(text: string): string {
  return `\`${shown(text)}\``
}

const shownMax = 200

/** One line, and not a whole script. */
function shown(text: string): string {
  const cut = text.length > shownMax ? `${text.slice(0, shownMax).toWellFormed()}…` : text.toWellFormed()
  return cut.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' ')
}
