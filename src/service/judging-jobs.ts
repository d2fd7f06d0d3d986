// What the thread for long texts is asked, and how it is answered.
import { askGate } from '../gates/ask-gate.js'
import type { GateContext, JudgedEntry, Verdict } from '../gates/gate.js'
import { gateCatalog } from '../gates/gate-catalog.js'
import { quotesOfText } from '../gates/provenance/quotes-of-text.js'

export interface JudgeJob {
  readonly ask: 'judge'
  /** The name of the gate. */
  readonly gate: string
  readonly write: JudgedEntry<'write.proposed'>
  readonly context: GateContext
}

export interface QuotesJob {
  readonly ask: 'quotes'
  readonly texts: readonly string[]
}

export type JudgingJob = JudgeJob | QuotesJob

export type JobAnswer<Job extends JudgingJob> = Job extends JudgeJob ? Verdict | undefined : readonly string[]

/** The same that the service's own thread would say. A gate of another name has nothing to say. */
export function answerJob(job: JudgingJob): JobAnswer<JudgingJob> {
  if (job.ask === 'quotes') return job.texts.flatMap(quotesOfText)
  const gate = gateCatalog.find(({ name }) => name === job.gate)
  return gate === undefined ? undefined : askGate(gate, 'write.proposed', job.write as JudgedEntry<never>, job.context)
}
