// What the Jev stage adds to a hook of its own, with a model that answers at once: what it takes beside the model and beside the ledger's own
// writing, for each hook that it has a part in. The writing is told beside it, since it is what a host waits for.
import type { JevStage } from '../src/hooks/jev/jev-stage.js'
import { makeJevStage } from '../src/hooks/jev/jev-stage.js'
import { highRisk, riskOf } from '../test/support/jev-desk.js'
import { begin, call, ending, request, type StagedHouse, stagedHouse } from '../test/support/stage-house.js'
import { type Measured, plain, ratio, rounds } from './measured.js'

const hooks = ['pre_llm_call', 'tool_request', 'pre_tool_call', 'pre_verify'] as const
type Hook = (typeof hooks)[number]

interface Timed {
  readonly own: Record<Hook, number[]>
  readonly written: number[]
}

export async function measureJev(turns: number): Promise<Measured[]> {
  const all: Timed[] = []
  for (let round = 0; round < rounds; round += 1) all.push(await timedTurns(turns))
  const of = (hook: Hook, share: number) => all.map(({ own }) => percentile(own[hook], share))
  return [
    ...hooks.map((hook) => ratio(`Jev stage, own part of ${hook}, p50`, of(hook, 0.5), { most: 1 }, 'ms')),
    ...hooks.map((hook) => ratio(`Jev stage, own part of ${hook}, p99`, of(hook, 0.99), { most: 1 }, 'ms')),
    plain(
      'Jev stage, an entry of it on disk, p50',
      all.map(({ written }) => percentile(written, 0.5)),
      'ms',
      2,
    ),
  ]
}

/** Each turn: a message, a call of a script with a few hundred characters, and an ending. */
async function timedTurns(turns: number): Promise<Timed> {
  const staged = await stagedHouse()
  staged.engine.risk = riskOf(highRisk)
  staged.house.hooksPerMinute = Number.MAX_SAFE_INTEGER
  const timed: Timed = {
    own: { pre_llm_call: [], tool_request: [], pre_tool_call: [], pre_verify: [] },
    written: [],
  }
  staged.house.stage = timedStage(staged, timed)
  for (let at = 0; at < turns; at += 1) {
    const turn = `turn-${at}`
    const args = { command: `publish-report --number ${at} --to everyone ${'--quiet '.repeat(30)}` }
    await begin(staged, `publish report ${at} ${'and tell me how it went '.repeat(20)}`, { turn })
    await request(staged, args, { turn, call: turn })
    await call(staged, args, { turn, call: turn })
    await ending(staged, { turn_id: turn })
  }
  return timed
}

function timedStage(staged: StagedHouse, { own, written }: Timed): JevStage {
  const { house, engine } = staged
  let writingMs = 0
  const stage = makeJevStage({
    ledger: {
      digest: (use, text) => house.ledger.digest(use, text),
      hasForgotten: (handle) => house.ledger.hasForgotten(handle),
      appendMade: async (make, options) => {
        const begunMs = performance.now()
        // What is made of it in the writer's turn is ours.
        let madeMs = 0
        const made = await house.ledger.appendMade((place) => {
          const makingMs = performance.now()
          const events = make(place)
          madeMs = performance.now() - makingMs
          return events
        }, options)
        const tookMs = performance.now() - begunMs - madeMs
        writingMs += tookMs
        written.push(tookMs)
        return made
      },
    },
    engine: () => engine,
    settings: () => staged.settings,
    now: () => house.nowMs,
    chance: () => '0'.repeat(32),
  })
  return {
    ...stage,
    inTurn: (heard, become, isBlocked) => {
      const begunMs = performance.now()
      const part = stage.inTurn(heard, become, isBlocked)
      if (heard.read.payload.hook_event_name === 'pre_tool_call') own.pre_tool_call.push(performance.now() - begunMs)
      return part
    },
    after: async (heard, become) => {
      const hook = heard.read.payload.hook_event_name
      writingMs = 0
      const begunMs = performance.now()
      const directive = await stage.after(heard, become)
      const tookMs = performance.now() - begunMs - writingMs
      if (hook === 'pre_llm_call' || hook === 'tool_request' || hook === 'pre_verify') own[hook].push(tookMs)
      return directive
    },
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}
