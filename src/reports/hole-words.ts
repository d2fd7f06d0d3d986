// What each kind of hole means, for everything that shows it to a person, and whether it is a fault that somebody should look into at once.
import type { HoleKind } from '../projections/coverage-watch.js'

interface HoleWords {
  readonly label: string
  readonly means: string
  /** `wrong`: something was not seen that should have been, or ran that should not. `note`: known, and worth knowing. */
  readonly weight: 'wrong' | 'note'
}

export const holeWords: Readonly<Record<HoleKind, HoleWords>> = {
  unjudged: { label: 'Calls without a decision', means: 'a gate was on, and none judged the call', weight: 'wrong' },
  unrequested: {
    label: 'Outcomes without a call',
    means: 'the hook before the call never fired, so no gate was asked',
    weight: 'wrong',
  },
  ran_denied: {
    label: 'Refused calls that ran',
    means: 'the host was held to a refusal, and the call came back as if it had run',
    weight: 'wrong',
  },
  unfinished: {
    label: 'Calls that never came back',
    means: 'the hook behind the call never fired, or the host died',
    weight: 'note',
  },
  blind_turn: {
    label: 'Turns of which nothing was heard',
    means: 'it ended, and no hook had told what was typed',
    weight: 'wrong',
  },
  blind_child: {
    label: 'Children of which nothing was heard',
    means: 'it was sent out, and no hook fired in its own session',
    weight: 'wrong',
  },
  unnamed_child: {
    label: 'Children without a session',
    means: 'the host does not say in which session it works',
    weight: 'note',
  },
  inner_calls: {
    label: 'Scripts that call tools themselves',
    means: 'what such a tool calls over its own channel is seen by no hook',
    weight: 'note',
  },
  numbers: { label: 'Payloads that never came', means: 'an attached host counted them, and nobody saw them', weight: 'wrong' },
  rate: { label: 'Payloads beyond the bound of a minute', means: 'turned away, and counted', weight: 'note' },
  killed: {
    label: 'Deaths of the service',
    means: 'a service started, and the one before had not ended in order',
    weight: 'note',
  },
  silent: {
    label: 'Silences of the service',
    means: 'it said nothing for more than an hour: the machine slept, or it hung',
    weight: 'note',
  },
  untold: {
    label: 'Times before a start that nobody can tell of',
    means: 'the service before was of a version that does not say when it ends',
    weight: 'note',
  },
  stopped: {
    label: 'Times after an end in order',
    means: 'no service ran: it was stopped, or nobody had asked it for anything',
    weight: 'note',
  },
  late: { label: 'Payloads that waited in the spool', means: 'the host did not hear an answer in time', weight: 'note' },
  foreign: { label: 'Foreign payloads', means: 'somebody else spoke for an attached host, or for its session', weight: 'note' },
  rejected: { label: 'Payloads that cannot be read', means: 'their size and digest are kept', weight: 'note' },
  older_plugin: {
    label: 'Plugins older than the service',
    means: 'what a newer one would tell is missing: install it anew',
    weight: 'note',
  },
  mismatch: {
    label: 'Answers, calls and writes that differ',
    means: 'what happened is not what was judged or answered',
    weight: 'note',
  },
  file_changed: {
    label: 'Memory and skill files changed unseen',
    means: 'between two looks, and not by a judged write',
    weight: 'note',
  },
}
