// Whoever was named to hold copies of checkpoints out of the agent's reach: a file elsewhere, the system log.
import { spawn } from 'node:child_process'
import { appendCheckpointLine } from './checkpoint-lines.js'

/** Somebody outside who takes a copy. It must not throw: a copy that fails is told, and the ledger goes on. */
export interface Anchor {
  readonly name: 'syslog' | 'mirror'
  /** Takes one whole note. Resolves to whether it was taken. */
  take(note: string): Promise<boolean>
}

/** A file that the owner put elsewhere: one JSON string a line, appended. */
export function mirrorAnchor(file: string): Anchor {
  return {
    name: 'mirror',
    take: async (note) => {
      try {
        appendCheckpointLine(file, note)
        return true
      } catch {
        return false
      }
    },
  }
}

const syslogTimeoutMs = 2000

/** The system log, through the `logger` command with the tag `stele`: one JSON string a line, on its standard input. */
export function syslogAnchor(): Anchor {
  return {
    name: 'syslog',
    take: (note) =>
      new Promise((resolve) => {
        const logger = spawn('logger', ['-t', 'stele'], { stdio: ['pipe', 'ignore', 'ignore'], timeout: syslogTimeoutMs })
        logger.on('error', () => resolve(false))
        logger.on('close', (code) => resolve(code === 0))
        logger.stdin.on('error', () => resolve(false))
        logger.stdin.end(`${JSON.stringify(note)}\n`)
      }),
  }
}
