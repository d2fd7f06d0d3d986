// The process that opens a store's copy: damaged tables can abort it, and then only it dies. It takes one job and sends one answer.
import { type StoreToVerify, type VerifyOptions, verifyStore } from './verify-ledger.js'

export interface VerifyJob {
  readonly store: string
  /** Bytes as base64: what goes between processes is JSON. */
  readonly marks: readonly { readonly name: string; readonly base64: string }[]
  readonly checkpointsText: string
  readonly options: Omit<VerifyOptions, 'onProgress'>
}

export type ChildMessage =
  | { readonly kind: 'progress'; readonly read: number; readonly about: number }
  | { readonly kind: 'done'; readonly verified: Awaited<ReturnType<typeof verifyStore>> }

/** Runs in the child only. */
export function runVerifyChild(): void {
  process.once('message', (job: VerifyJob) => {
    const found: StoreToVerify = {
      store: job.store,
      marks: job.marks.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') })),
      checkpointsText: job.checkpointsText,
    }
    const onProgress = (read: number, about: number) => process.send?.({ kind: 'progress', read, about } satisfies ChildMessage)
    verifyStore(found, { ...job.options, onProgress }).then(
      (verified) => process.send?.({ kind: 'done', verified } satisfies ChildMessage, () => process.disconnect()),
      // Damage is in the report; what fails beside it is a mistake of the verifier's own, told by its exit code.
      () => process.exit(70),
    )
  })
}

if (process.send !== undefined && process.argv[2] === 'verify-store') runVerifyChild()
