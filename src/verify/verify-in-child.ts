// Verifies a store's copy in a process of its own, and says `store_unreadable` where that process dies of it.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SteleError } from '../foundation/stele-error.js'
import type { ChildMessage, VerifyJob } from './verify-child.js'
import { diedReport, type StoreToVerify, type Verified, type VerifyOptions } from './verify-ledger.js'

// Beside this file, with this file's own ending: the built program and the sources under test each start their own kind.
const childFile = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './verify-child.ts' : './verify-child.js', import.meta.url),
)

// A scan makes much garbage and keeps little: without these the heap grows to several times of what is in use.
const littleHeap = ['--heap-growing-percent=20', '--max-semi-space-size=4']

const stoppedFromOutside: ReadonlySet<NodeJS.Signals> = new Set(['SIGTERM', 'SIGINT', 'SIGKILL', 'SIGHUP'])

export function verifyInChild(found: StoreToVerify, options: VerifyOptions = {}): Promise<Verified> {
  const { onProgress, ...rest } = options
  const startedMs = performance.now()
  const child = fork(childFile, ['verify-store'], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    execArgv: [...process.execArgv, ...littleHeap],
  })
  const job: VerifyJob = {
    store: found.store,
    marks: found.marks.map(({ name, bytes }) => ({ name, base64: bytes.toString('base64') })),
    checkpointsText: found.checkpointsText,
    options: rest,
  }
  return new Promise((resolve, reject) => {
    let verified: Verified | undefined
    child.on('message', (message: ChildMessage) => {
      if (message.kind === 'progress') onProgress?.(message.read, message.about)
      else verified = message.verified
    })
    child.on('error', (cause) => reject(new SteleError('VERIFIER_DIED', {}, { cause })))
    child.on('exit', (code, signal) => {
      if (verified !== undefined) resolve(verified)
      // An abort inside LevelDB is the store's fault; a stop from outside, or a mistake of the verifier's own, is not.
      else if (signal !== null && !stoppedFromOutside.has(signal))
        resolve({ report: diedReport(startedMs, options), position: undefined })
      else reject(new SteleError('VERIFIER_DIED', { code, signal }))
    })
    child.send(job)
  })
}
