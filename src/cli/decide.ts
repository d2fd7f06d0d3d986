// stele decide: what the capability gate would say of a call. A dry run: nothing is recorded, and nothing runs.
import { resolve } from 'node:path'
import { SteleError } from '../foundation/stele-error.js'
import type { TriedCall, TriedDecision } from '../service/decision-trial.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { type InputLine, inputLines, isAbsent, isObject } from './input-lines.js'
import { invalidOption } from './options.js'
import { print, printData, printStyled, styled } from './terminal.js'

interface DecideOptions extends SharedOptions {
  readonly tool?: string
  readonly args?: string
  readonly cwd?: string
  readonly skill?: string
  readonly policy?: string
  readonly batch?: string
}

export function decideCommand() {
  return newCommand('decide', 'say what the capability gate would say of a call; nothing runs, nothing is recorded', [
    `stele decide --tool read_file --args '{"path": "~/projects/notes.md"}'`,
    `stele decide --tool terminal --args '{"command": "git status"}' --policy ./allowlist.yaml`,
    'stele decide --batch - --policy ./allowlist.yaml < calls.jsonl > verdicts.jsonl',
  ])
    .option('--tool <name>', 'the tool that is called')
    .option('--args <json>', 'its arguments, a JSON object')
    .option('--cwd <dir>', 'what relative paths start from (default: this folder)')
    .option('--skill <name>', 'the skill that calls (default: none, as with the host’s own hook)')
    .option('--policy <file>', 'the file of grants (default: the one of the home)')
    .option('--batch <file>', '- only: a JSON object a line on standard input, a verdict a line out')
    .action(async (options: DecideOptions) => {
      if (options.batch === undefined) await decideOne(options)
      else await decideAll(options)
    })
}

async function decideOne(options: DecideOptions): Promise<void> {
  const { tool, args = '{}', cwd, skill } = options
  if (tool === undefined || tool === '') throw invalidOption('--tool', 'the name of a tool')
  const call = {
    ...{ tool, args: parsedArgs(args) },
    ...(cwd === undefined ? {} : { cwd }),
    ...(skill === undefined ? {} : { skill }),
  }
  const decision = await (await trial(options, 'whole')).decide(call)
  if (options.json) await printData(`${JSON.stringify(decision)}\n`)
  else printDecision(decision)
}

function parsedArgs(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw new SteleError('JSON_UNREADABLE', { option: '--args', reason: 'syntax' }, { cause })
  }
  if (!isObject(value)) throw invalidOption('--args', 'a JSON object')
  return value
}

async function decideAll(options: DecideOptions): Promise<void> {
  const { batch, tool, args, cwd, skill } = options
  if (batch !== '-') throw invalidOption('--batch', '-, for standard input')
  if ([tool, args, cwd, skill].some((option) => option !== undefined))
    throw invalidOption('--batch', 'neither --tool, --args, --cwd nor --skill beside it')
  const trying = await trial(options, 'each')
  const decided = inputLines(process.stdin, async (line) => {
    const { id, ...call } = callOf(line)
    const { verdict, reason, code, paths } = await trying.decide(call)
    return { ...(id === undefined ? {} : { id }), verdict, reason, code, paths }
  })
  for await (const lines of decided) await printData(lines.map((one) => `${JSON.stringify(one)}\n`).join(''))
}

/** `whole`: an allowlist that its environment makes useless is an error too; else that is said of each call. */
async function trial(options: DecideOptions, errors: 'whole' | 'each') {
  const { policy, home } = options
  const file = resolve(policy ?? homeOf(options).config.capability.allowlist)
  // What reads policies is loaded only where one is read.
  const { policyFile, readPolicy, usablePolicy } = await import('../service/policy-file.js')
  const { DecisionTrial } = await import('../service/decision-trial.js')
  const placed = policyFile(file)
  if (errors === 'whole') usablePolicy(readPolicy(placed, process.env), { file })
  return new DecisionTrial({ file, placed, home, environment: process.env })
}

interface IdentifiedCall extends TriedCall {
  readonly id?: string | number
}

/** Members that are not named here are let be. */
function callOf({ value, wrong }: InputLine): IdentifiedCall {
  const { id, tool, args, cwd, skill, env } = value
  if (typeof tool !== 'string' || tool === '') throw wrong('`tool`, the name of a tool')
  if (!isAbsent(id) && typeof id !== 'string' && typeof id !== 'number') throw wrong('`id`, a string or a number')
  if (!isAbsent(cwd) && typeof cwd !== 'string') throw wrong('`cwd`, a path')
  if (!isAbsent(skill) && typeof skill !== 'string') throw wrong('`skill`, a string')
  if (!isAbsent(env) && !isTexts(env)) throw wrong('`env`, an object of strings')
  return {
    ...(isAbsent(id) ? {} : { id }),
    // What a host hands over as arguments may be anything: that is for the gate to judge.
    ...{ tool, args: isAbsent(args) ? {} : args },
    ...(isAbsent(cwd) ? {} : { cwd }),
    ...(isAbsent(skill) ? {} : { skill }),
    ...(isAbsent(env) ? {} : { env }),
  }
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string')
}

const colours = { allow: 'green', ask: 'yellow', deny: 'red' } as const

function printDecision({ verdict, code, reason, paths }: TriedDecision): void {
  printStyled(`${styled(colours[verdict], verdict.padEnd(6))}${styled('bold', code)}`)
  if (reason !== '') print(`      why   ${reason}`)
  for (const { asked, resolved } of paths)
    print(`      path  ${asked}${resolved === null || resolved === asked ? '' : ` → ${resolved}`}`)
}
