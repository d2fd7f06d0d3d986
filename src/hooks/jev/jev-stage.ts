// The semantic stage on the path of hooks: which hook it has a part in, and which part. It can ask a person, narrow a first request and ask for
// one more pass; nothing that it does lets through what another gate refuses, and where it is off or alone it changes nothing.
import type { NewEvent } from '../../events/event-catalog.js'
import type { JevDirective } from '../../gates/jev/approve-directive.js'
import { type JevTelemetry, makeJevTelemetry, type TelemetryEvent } from '../../gates/jev/telemetry.js'
import { telemetryOf } from '../../gates/jev/telemetry-of.js'
import { type Directive, noDirective } from '../directive.js'
import { assessCall } from './assess-call.js'
import { claimCall } from './claim-call.js'
import { classifyTurn } from './classify-turn.js'
import { judgeEnding } from './judge-ending.js'
import { observeWork } from './observe-work.js'
import { shapeTools } from './shape-tools.js'
import type { BecomeEvents, HeardPayload, JevStageHouse } from './stage-house.js'
import { StageMemories } from './stage-memory.js'
import { ofSession, type StageMoment, settledEvents, tell } from './stage-moment.js'

export interface StagePart {
  /** To stand behind the events of the payload, in the same batch. */
  readonly events: readonly NewEvent[]
  readonly directive: JevDirective | undefined
}

export interface JevStage {
  /** Middleware calls that hosts are to send. */
  wants(): readonly ('llm_request' | 'tool_request')[]
  /** In the writer's turn; asks nobody. `isBlocked`: another gate refuses the call. */
  inTurn(heard: HeardPayload, become: BecomeEvents, isBlocked: boolean): StagePart
  /** When all of a payload is on disk: may ask the model. What it resolves to is on disk as well. */
  after(heard: HeardPayload, become: BecomeEvents): Promise<Directive>
  /** Of what was done since the service began; undefined where the stage is off. */
  telemetry(): JevTelemetry | undefined
}

const nothing: StagePart = { events: [], directive: undefined }

export function makeJevStage(house: JevStageHouse, log?: (event: TelemetryEvent) => void): JevStage {
  const memories = new StageMemories()
  let telemetry: JevTelemetry | undefined
  let telemetryFor = ''

  const telemetryNow = (): JevTelemetry | undefined => {
    if (house.engine() === undefined) return undefined
    const { telemetry: settings } = house.settings()
    const wanted = `${settings.enabled} ${settings.eventsMax}`
    if (telemetry === undefined || wanted !== telemetryFor) {
      telemetryFor = wanted
      telemetry = makeJevTelemetry(settings, log)
    }
    return telemetry
  }

  const momentOf = (heard: HeardPayload): StageMoment | undefined => {
    const engine = house.engine()
    if (engine === undefined || heard.call.late || heard.read.host.probe === true) return undefined
    const settings = house.settings()
    const noted = (events: readonly NewEvent[]) => {
      const keeper = telemetryNow()
      for (const event of events) for (const [kind, fields] of telemetryOf(event)) keeper?.record(kind, fields)
    }
    return { heard, house, engine, settings, memory: memories.of(settings), noted }
  }

  return {
    wants: () => {
      if (house.engine() === undefined) return []
      const { risk, shaping } = house.settings()
      return [...(shaping.enabled ? (['llm_request'] as const) : []), ...(risk.enabled ? (['tool_request'] as const) : [])]
    },
    inTurn: (heard, become, isBlocked) => {
      const moment = momentOf(heard)
      if (moment === undefined) return nothing
      const part = partInTurn(moment, become, isBlocked)
      moment.noted(part.events)
      return { ...part, events: part.events.map((event) => ofSession(event, heard.handle)) }
    },
    after: async (heard, become) => {
      const moment = momentOf(heard)
      return moment === undefined ? noDirective : await partAfter(moment, become)
    },
    telemetry: telemetryNow,
  }
}

function partInTurn(moment: StageMoment, become: BecomeEvents, isBlocked: boolean): StagePart {
  switch (moment.heard.read.payload.hook_event_name) {
    case 'pre_tool_call': {
      const about = placeOf(become, 'tool.requested')
      return about === undefined ? nothing : claimCall(moment, about, isBlocked)
    }
    case 'post_tool_call': {
      const about = placeOf(become, 'tool.completed')
      return about === undefined ? nothing : { events: observeWork(moment, about), directive: undefined }
    }
    default:
      return nothing
  }
}

async function partAfter(moment: StageMoment, become: BecomeEvents): Promise<Directive> {
  const { heard, house, memory } = moment
  const { hook_event_name: hook, session_id: session, extra } = heard.read.payload
  // What only the host's own process can tell counts from nobody else.
  const isAttached = heard.speaker.kind === 'attached'
  switch (hook) {
    case 'pre_llm_call': {
      const about = messageOf(become)
      if (about !== undefined) await classifyTurn(moment, about)
      return noDirective
    }
    case 'llm_request':
      return isAttached ? await shapeTools(moment) : noDirective
    case 'tool_request':
      if (isAttached && moment.settings.risk.enabled) await assessCall(moment)
      return noDirective
    case 'pre_verify':
      return await judgeEnding(moment)
    case 'post_llm_call':
      memory.cache.complete(session, extra['turn_id'], house.now())
      return noDirective
    case 'on_session_end': {
      memory.cache.endSession(session)
      const ended = typeof session === 'string' ? memory.proposals.endSession(session, house.now()) : []
      if (ended.length > 0) await tell(moment, () => ({ events: settledEvents(ended, house.now()), result: undefined }))
      return noDirective
    }
    default:
      return noDirective
  }
}

/** The host's own review of a conversation speaks beside the user's turns, and begins none of them. */
function messageOf(become: BecomeEvents): number | undefined {
  const skipped = become.events.find(({ type }) => type === 'message.skipped')
  if (skipped !== undefined && 'why' in skipped.facts && skipped.facts.why === 'self_review') return undefined
  return placeOf(become, 'message.captured') ?? placeOf(become, 'message.skipped')
}

function placeOf({ events, index }: BecomeEvents, type: NewEvent['type']): number | undefined {
  const at = events.findIndex((event) => event.type === type)
  return at < 0 ? undefined : index + at
}
