// Writes an allowlist as the YAML that owners read and edit: each value in double quotes, with a comment beside it. Values may hold anything:
// nothing in them can end a line, a quote or a comment.

export interface Commented<Value> {
  readonly value: Value
  readonly comment: string
}

export interface WrittenPath {
  readonly path: string
  readonly access: 'read' | 'write' | 'any'
}

export interface WrittenGrant {
  readonly tools: readonly Commented<string>[]
  readonly paths: readonly Commented<WrittenPath>[]
  readonly commands: readonly Commented<string>[]
}

export interface WrittenAllowlist {
  readonly head: readonly string[]
  readonly requireApproval: readonly string[]
  /** `own` stands directly under the skill. */
  readonly skills: readonly { readonly name: string; readonly own: WrittenGrant; readonly grants: readonly WrittenGrant[] }[]
  readonly deny: {
    readonly tools: readonly string[]
    readonly paths: readonly WrittenPath[]
    readonly commands: readonly string[]
  }
  readonly foot: readonly string[]
}

export function allowlistYaml({ head, requireApproval, skills, deny, foot }: WrittenAllowlist): string {
  const lines = [
    ...head.map(commentLine),
    'version: 1',
    ...(requireApproval.length === 0 ? [] : [`require_approval: [${requireApproval.map(yamlText).join(', ')}]`]),
    ...(skills.length === 0 ? ['skills: {}'] : ['skills:', ...skills.flatMap(skillLines)]),
    ...denyLines(deny),
    ...foot.map(commentLine),
  ]
  return `${lines.join('\n')}\n`
}

function skillLines({ name, own, grants }: WrittenAllowlist['skills'][number]): string[] {
  const further = grants.filter((grant) => !isEmpty(grant))
  if (isEmpty(own) && further.length === 0) return [`  ${yamlText(name)}: {}`]
  return [
    `  ${yamlText(name)}:`,
    ...grantLines(own).map((line) => `    ${line}`),
    ...(further.length === 0 ? [] : ['    grants:', ...further.flatMap(furtherLines)]),
  ]
}

function furtherLines(grant: WrittenGrant): string[] {
  return grantLines(grant).map((line, at) => `      ${at === 0 ? '- ' : '  '}${line}`)
}

function isEmpty({ tools, paths, commands }: WrittenGrant): boolean {
  return tools.length + paths.length + commands.length === 0
}

function grantLines({ tools, paths, commands }: WrittenGrant): string[] {
  return [
    ...listLines('tools', tools.map(commented(yamlText))),
    ...listLines('commands', commands.map(commented(yamlText))),
    ...listLines('paths', paths.map(commented(pathText))),
  ]
}

function denyLines({ tools, paths, commands }: WrittenAllowlist['deny']): string[] {
  const lines = [
    ...listLines('tools', tools.map(yamlText)),
    ...listLines('commands', commands.map(yamlText)),
    ...listLines('paths', paths.map(pathText)),
  ]
  return lines.length === 0 ? [] : ['deny:', ...lines.map((line) => `  ${line}`)]
}

function listLines(name: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [`${name}:`, ...items.map((item) => `  - ${item}`)]
}

function commented<Value>(text: (value: Value) => string): (one: Commented<Value>) => string {
  return ({ value, comment }) => `${text(value)} ${commentLine(comment)}`
}

function pathText({ path, access }: WrittenPath): string {
  return access === 'any' ? yamlText(path) : `{ path: ${yamlText(path)}, access: ${access} }`
}

function commentLine(text: string): string {
  return text === '' ? '#' : `# ${escaped(text)}`
}

/** A text as a scalar in double quotes, on one line, with everything that cannot be seen written by its number. */
export function yamlText(text: string): string {
  return `"${escaped(text.replace(/["\\]/g, '\\$&'))}"`
}

function escaped(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
  })
}
