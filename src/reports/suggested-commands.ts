// Grants of commands out of the commands that were run: word for word. Only where several were seen in several sessions that differ in their
// last words does a wildcard stand for these, never for the program or its first word, and never behind a program that runs other ones.
import type { CommandPart } from '../gates/capability/access.js'
import type { CommandGrant, CommandGrantWord } from '../gates/capability/allowlist.js'
import { commandGrantText } from '../gates/capability/command-grant.js'
import { commandScope } from '../gates/capability/command-scope.js'
import type { UsedCall } from '../projections/used-calls.js'
import { withMarkersAs } from '../redaction/markers.js'
import { sessionsOf } from './evidence-text.js'

export interface CommandUse {
  readonly words: readonly string[]
  readonly call: UsedCall
}

export interface SuggestedCommand {
  /** As an owner writes it. */
  readonly text: string
  readonly calls: readonly UsedCall[]
  /** Its last words stand for several that were seen. */
  readonly isWidened: boolean
  /** A secret stood in it, which is not known here: any text takes its place. */
  readonly hadSecret: boolean
}

const commandsSeen = 3
const sessionsSeen = 2
/** The program, and what it is told to do. */
const fixedWords = 2

/** Programs that run what their words say: a wildcard there would stand for any program. */
const carriers =
  /^(?:(?:ba|z|da|fi|k|c|tc|a)?sh|python[\d.]*|node|deno|bun|ruby|perl|php|lua|env|sudo|doas|su|ssh|xargs|find|npx|bunx|pnpx|uvx|pipx|uv|docker|podman|kubectl|eval|exec|source|\.|nohup|timeout|nice|time|watch|awk|gawk|command|builtin|parallel|make|tmux|screen|stele)$/

interface Seen {
  readonly words: readonly string[]
  readonly calls: UsedCall[]
}

/** `denied` are commands that a person has refused: nothing that is suggested fits one of them. */
export function suggestedCommands(uses: readonly CommandUse[], denied: readonly (readonly string[])[]): SuggestedCommand[] {
  const seen = new Map<string, Seen>()
  for (const { words, call } of uses) {
    const key = JSON.stringify(words)
    const known = seen.get(key) ?? { words, calls: [] }
    known.calls.push(call)
    seen.set(key, known)
  }
  const all = [...seen.values()]
  const wide = widened(all, denied)
  const exact = all.filter(({ words }) => !wide.some(({ grant }) => wordsFit(grant, words)))
  return [...wide.map(({ suggested }) => suggested), ...exact.map(exactly)]
}

function exactly({ words, calls }: Seen): SuggestedCommand {
  return {
    text: commandGrantText(words.map((word) => wordOf(writtenWord(word)))),
    calls,
    isWidened: false,
    hadSecret: words.some(hasMarker),
  }
}

interface Wide {
  readonly grant: CommandGrant
  readonly suggested: SuggestedCommand
}

function widened(all: readonly Seen[], denied: readonly (readonly string[])[]): Wide[] {
  const groups = new Map<string, Seen[]>()
  for (const one of all) {
    if (!mayWiden(one.words)) continue
    const key = JSON.stringify(one.words.slice(0, fixedWords))
    groups.set(key, [...(groups.get(key) ?? []), one])
  }
  return [...groups.values()].flatMap((group) => {
    const lasts = byAllButLast(group).flatMap((same) => wideOf(same, '*', denied))
    const rest = group.filter(({ words }) => !lasts.some(({ grant }) => wordsFit(grant, words)))
    return [...lasts, ...wideOf(rest, '...', denied)]
  })
}

/** What a command shares with those that one line could grant: the program and what it is told to do, where a wildcard may stand behind. */
export function commandShape(words: readonly string[]): string {
  return mayWiden(words) && words.length > fixedWords ? `${words.slice(0, fixedWords).join(' ')} …` : words.join(' ')
}

function mayWiden([program = '', first = '']: readonly string[]): boolean {
  const name = program.slice(program.lastIndexOf('/') + 1)
  return first !== '' && !first.startsWith('-') && !program.includes('=') && !carriers.test(name)
}

function byAllButLast(group: readonly Seen[]): Seen[][] {
  const same = new Map<string, Seen[]>()
  for (const one of group.filter(({ words }) => words.length > fixedWords)) {
    const key = JSON.stringify(one.words.slice(0, -1))
    same.set(key, [...(same.get(key) ?? []), one])
  }
  return [...same.values()]
}

/** One grant in the place of several, where there are enough of them. */
function wideOf(group: readonly Seen[], tail: '*' | '...', denied: readonly (readonly string[])[]): Wide[] {
  const calls = group.flatMap((one) => one.calls)
  if (group.length < commandsSeen || sessionsOf(calls) < sessionsSeen) return []
  const fixed = tail === '*' ? (group[0]?.words.slice(0, -1) ?? []) : commonWords(group.map(({ words }) => words))
  if (fixed.length < fixedWords || fixed.some(hasMarker)) return []
  const grant: CommandGrant = [
    ...fixed.map((word) => wordOf(patternOfWord(word))),
    tail === '*' ? wordOf('*') : { kind: 'rest', of: 'words' },
  ]
  if (denied.some((words) => wordsFit(grant, words))) return []
  return [{ grant, suggested: { text: commandGrantText(grant), calls, isWidened: true, hadSecret: false } }]
}

function wordsFit(grant: CommandGrant, words: readonly string[]): boolean {
  return commandScope(partOf(words), grant).scope === 'covered'
}

export function partOf([program = '', ...operands]: readonly string[]): CommandPart {
  return { program: { text: program }, operands: operands.map((text) => ({ text })) }
}

function wordOf(pattern: string): CommandGrantWord {
  return { kind: 'word', pattern }
}

/** The pattern that matches a word and as little else as can be written: a wildcard in it stands for any one character. */
function patternOfWord(word: string): string {
  return word.replaceAll('*', '?')
}

function commonWords([first = [], ...others]: readonly (readonly string[])[]): readonly string[] {
  const end = first.findIndex((word, at) => others.some((other) => other[at] !== word))
  return end < 0 ? first : first.slice(0, end)
}

function hasMarker(word: string): boolean {
  return writtenWord(word) !== patternOfWord(word)
}

/** As a pattern, with `*` where something was taken out. */
function writtenWord(word: string): string {
  return withMarkersAs(patternOfWord(word), '*')
}
