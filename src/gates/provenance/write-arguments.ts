// The arguments of a memory or skill call as the host will read them: some shapes it decodes only when it runs the tool, after we were asked.
// What cannot be read is told with its place, and is no error: the gate has a verdict for it.
import type { MemoryTarget } from './stored-text.js'

export type MemoryOperation =
  | { readonly action: 'add'; readonly text: string }
  | { readonly action: 'replace' | 'patch'; readonly old: string; readonly text: string }
  | { readonly action: 'remove'; readonly old: string }

export interface SkillOperation {
  readonly action: (typeof skillActions)[number]
  readonly name: string
  /** As it was given. */
  readonly file: string | undefined
  readonly content: string | undefined
  readonly oldString: string | undefined
  readonly newString: string | undefined
  readonly fileContent: string | undefined
  readonly replaceAll: boolean
}

export type UnreadableCode =
  | 'not_an_object'
  | 'operations_not_json'
  | 'operations_not_a_list'
  | 'too_many_operations'
  | 'operation_not_an_object'
  | 'not_text'
  | 'unknown_action'
  | 'unknown_target'
  | 'unknown_field'

/** Where and why arguments cannot be read. */
export interface Unreadable {
  readonly code: UnreadableCode
  /** From 0; without it, the arguments themselves. */
  readonly operation?: number
  /** The name of a member: a word of the model's, where it is none that we know. */
  readonly field?: string
}

export type WriteArguments =
  | { readonly kind: 'memory'; readonly target: MemoryTarget; readonly operations: readonly MemoryOperation[] }
  | { readonly kind: 'skill'; readonly operations: readonly SkillOperation[] }
  | { readonly kind: 'unreadable'; readonly unreadable: Unreadable }

export type WriteTool = 'memory' | 'skill_manage'

export function isWriteTool(tool: string): tool is WriteTool {
  return tool === 'memory' || tool === 'skill_manage'
}

/** The host takes 20 operations on skills and names no bound for memory; more than this is no list that a model means. */
const operationsMax = { memory: 256, skill_manage: 20 } as const

const skillActions = ['create', 'edit', 'patch', 'write_file', 'delete', 'remove_file'] as const

/** Text, which must be a string or nothing. */
const textFields = {
  memory: ['content', 'new_text', 'old_text'],
  skill_manage: ['content', 'old_string', 'new_string', 'file_content', 'file_path', 'name'],
} as const
const otherFields = {
  memory: ['action', 'target', 'operations'],
  skill_manage: ['action', 'operations', 'category', 'replace_all', 'absorbed_into'],
} as const

/** `input` is what the host gave as the arguments, as parsed JSON. */
export function writeArguments(tool: WriteTool, input: unknown): WriteArguments {
  const members = input === null || input === undefined ? {} : input
  if (!isMembers(members)) return unreadable({ code: 'not_an_object' })
  const list = operationList(members['operations'])
  if ('code' in list) return unreadable(list)
  if (list.operations.length > operationsMax[tool]) return unreadable({ code: 'too_many_operations' })
  return tool === 'memory' ? memoryArguments(members, list.operations) : skillArguments(members, list.operations)
}

function memoryArguments(members: Members, list: readonly Members[]): WriteArguments {
  const target = members['target'] ?? 'memory'
  if (target !== 'memory' && target !== 'user') return unreadable({ code: 'unknown_target', field: 'target' })
  const isBatch = list.length > 0
  // Beside a list the host looks at no other member but the target.
  const strange = isBatch ? unknownField('memory', members) : undefined
  if (strange !== undefined) return unreadable(strange)
  return read(isBatch ? list : [members], isBatch, memoryOperation, (operations) => ({ kind: 'memory', target, operations }))
}

function memoryOperation(members: Members): MemoryOperation | Unreadable {
  const { action } = members
  if (action !== 'add' && action !== 'replace' && action !== 'patch' && action !== 'remove') return unknownAction
  const problem = unfitField('memory', members, action === 'remove')
  if (problem !== undefined) return problem
  const old = textOf(members, 'old_text') ?? ''
  if (action === 'remove') return { action, old }
  const content = textOf(members, 'content') ?? ''
  // Both name the new text; the first one counts unless there is nothing in it.
  const text = content.trim() === '' ? (textOf(members, 'new_text') ?? content) : content
  return action === 'add' ? { action, text } : { action, old, text }
}

function skillArguments(members: Members, list: readonly Members[]): WriteArguments {
  const { action } = members
  const isBatch = list.length > 0
  const strange = isBatch ? unknownField('skill_manage', members) : undefined
  if (strange !== undefined) return unreadable(strange)
  const named = list.map((one) => (Object.hasOwn(one, 'name') ? one : { ...one, name: members['name'] }))
  // An older host knows no list and runs the flat fields beside it.
  const isFlat = !isBatch || (action !== undefined && action !== null && action !== 'batch')
  const all = isFlat ? [...named, members] : named
  return read(all, isBatch, skillOperation, (operations) => ({ kind: 'skill', operations }))
}

function skillOperation(members: Members): SkillOperation | Unreadable {
  const action = skillActions.find((known) => known === members['action'])
  if (action === undefined) return unknownAction
  const problem = unfitField('skill_manage', members, action === 'delete' || action === 'remove_file')
  if (problem !== undefined) return problem
  const replaceAll = members['replace_all']
  return {
    action,
    name: textOf(members, 'name') ?? '',
    file: textOf(members, 'file_path'),
    content: textOf(members, 'content'),
    oldString: textOf(members, 'old_string'),
    newString: textOf(members, 'new_string'),
    fileContent: textOf(members, 'file_content'),
    replaceAll: typeof replaceAll === 'string' ? replaceAll.trim().toLowerCase() !== 'false' && replaceAll !== '' : !!replaceAll,
  }
}

function read<Operation extends object>(
  list: readonly Members[],
  isBatch: boolean,
  operationOf: (members: Members) => Operation | Unreadable,
  made: (operations: Operation[]) => WriteArguments,
): WriteArguments {
  const operations: Operation[] = []
  for (const [index, members] of list.entries()) {
    const operation = operationOf(members)
    if (isProblem(operation)) return unreadable(isBatch ? { ...operation, operation: index } : operation)
    operations.push(operation)
  }
  return made(operations)
}

function isProblem(operation: object): operation is Unreadable {
  return 'code' in operation
}

/**
 * A list, its JSON, or one object for a list of one; each item an object or its JSON. Nothing, an empty list and an empty object give no
 * operation, and the flat fields are run.
 */
function operationList(given: unknown): { readonly operations: readonly Members[] } | Unreadable {
  const decoded = typeof given === 'string' && given.trim() !== '' ? fromJson(given) : given
  if (decoded === unparsed) return { code: 'operations_not_json', field: 'operations' }
  if (decoded === null || decoded === undefined || decoded === '') return { operations: [] }
  if (typeof decoded === 'string' && decoded.trim() === '') return { operations: [] }
  if (isMembers(decoded)) return { operations: Object.keys(decoded).length === 0 ? [] : [decoded] }
  if (!Array.isArray(decoded)) return { code: 'operations_not_a_list', field: 'operations' }
  const operations: Members[] = []
  for (const [index, item] of decoded.entries()) {
    const members: unknown = typeof item === 'string' ? fromJson(item) : item
    if (!isMembers(members)) return { code: 'operation_not_an_object', operation: index, field: 'operations' }
    operations.push(members)
  }
  return { operations }
}

const unparsed = Symbol('unparsed')

/** As the host parses it: of a name that stands twice the last one counts. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return unparsed
  }
}

/** A removal can write nothing, whatever else is said with it. */
function unfitField(tool: WriteTool, members: Members, isRemoval: boolean): Unreadable | undefined {
  const field = textFields[tool].find((name) => {
    const value = members[name]
    return value !== undefined && value !== null && typeof value !== 'string'
  })
  if (field !== undefined) return { code: 'not_text', field }
  return isRemoval ? undefined : unknownField(tool, members)
}

/** Text under a name that we do not know may be written by a host that knows it. */
function unknownField(tool: WriteTool, members: Members): Unreadable | undefined {
  const known: readonly string[] = [...textFields[tool], ...otherFields[tool]]
  const field = Object.keys(members).find((name) => !known.includes(name) && holdsText(members[name]))
  return field === undefined ? undefined : { code: 'unknown_field', field }
}

function holdsText(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : typeof value === 'object' && value !== null
}

type Members = Readonly<Record<string, unknown>>

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function textOf(members: Members, name: string): string | undefined {
  const value = Object.hasOwn(members, name) ? members[name] : undefined
  return typeof value === 'string' ? value : undefined
}

const unknownAction: Unreadable = { code: 'unknown_action', field: 'action' }

function unreadable(problem: Unreadable): WriteArguments {
  return { kind: 'unreadable', unreadable: problem }
}
