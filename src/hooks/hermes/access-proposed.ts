// Makes the event of what a call would reach: its paths and commands, who asks, and whether a person could be asked.
import type { Facts, NewEvent, Words } from '../../events/event-catalog.js'
import { asName } from '../../events/event-definition.js'
import type { ProposedAccess } from '../../gates/capability/access.js'
import { accessFacts, accessWords } from '../../gates/capability/access-words.js'
import type { CallOrigin } from '../lineage.js'
import type { HostTold } from '../read-payload.js'

export interface AccessFrame {
  /** The handle of the session. */
  readonly session: string
  /** Index of the `tool.requested`. */
  readonly call: number
  readonly tool: string
  readonly lineage: readonly CallOrigin[]
  readonly host: HostTold
  readonly isProbe: boolean
  /** A text without its secrets. */
  redact(text: string): string
}

/** The words still have their secrets in them. */
export function accessProposed(
  access: ProposedAccess,
  { session, call, tool, lineage, host, isProbe, redact }: AccessFrame,
): NewEvent {
  return {
    type: 'access.proposed',
    ...(session === '' ? {} : { session }),
    facts: {
      call,
      tool: asName(tool),
      skill: '',
      lineage: lineage.map(({ platform, job, subagent }) => ({
        platform: asName(platform),
        ...(job === undefined ? {} : { job }),
        subagent,
      })),
      attended: host.attended ?? 'unknown',
      asks: asks(host),
      ...accessFacts(access),
      ...(isRemote(host) ? { remote: true as const } : {}),
      ...(isProbe ? { probe: true as const } : {}),
    },
    words: withoutAssigned(accessWords(access), redact),
  }
}

/** The words of programs are kept as they came, for they are what is judged. What is assigned in front of one is no such word. */
function withoutAssigned(words: Words<'access.proposed'>, redact: (text: string) => string): Words<'access.proposed'> {
  const programs = words.programs.map((program) =>
    /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/.test(program.text) ? { ...program, text: redact(program.text) } : program,
  )
  return { ...words, programs }
}

/** Whether an approval that we want would be asked for, and given by nobody but a person. */
function asks({ approvals_off, last_in_order }: HostTold): Facts<'access.proposed'>['asks'] {
  if (approvals_off === true) return 'approvals_off'
  if (approvals_off === undefined || last_in_order === undefined) return 'unknown_host'
  return last_in_order ? 'yes' : 'not_last'
}

/** Where a terminal runs on another machine, so do the file tools of the host. */
export function isRemote({ terminal_backend }: Pick<HostTold, 'terminal_backend'>): boolean {
  return terminal_backend !== undefined && terminal_backend !== 'local'
}
