// What became of what the Jev stage proposed: the fate of each, who answered the prompts, how the checks behind it ended, and the newest proposals.
// Where an outcome is known, an answer can be held against it.
import { type JevDay, newestProposals } from '../projections/jev.js'
import type { JevStory } from '../projections/jev-stories.js'
import { byName, shareOf, tabled, textColumn } from './jev-judged-sections.js'
import { nameParts } from './name-parts.js'
import { countColumn, type Section, type Table, type Value } from './report.js'

type WordsByIndex = ReadonlyMap<number, Readonly<Record<string, unknown>>>

export function jevOutcomeSections(
  sum: JevDay,
  days: ReadonlyMap<string, JevDay>,
  words: WordsByIndex,
  limit: number,
): Section[] {
  return [
    tabled('fates', 'What became of proposals', fatesTable(sum), 'Of no proposal is it told what became of it.'),
    tabled('prompts', 'Calibration: what people answered', promptsTable(sum), 'Nobody was asked about a call that was proposed.'),
    tabled('nudges', 'Calibration: what the next check showed', nudgesTable(sum), 'No more pass was asked for.'),
    tabled('checks', 'Checks that the agent ran', checksTable(sum), 'It ran none that is known.'),
    proposalsSection(sum, days, words, limit),
  ]
}

function fatesTable({ fates }: JevDay): Table {
  return {
    caption: 'What became of proposals when the call was about to run, or never did',
    columns: [
      textColumn('fate', 'Fate'),
      textColumn('why', 'Why nothing was said'),
      countColumn('proposals', 'Proposals'),
      countColumn('applied', 'Host told'),
    ],
    rows: byName(fates).map(([name, { proposals, applied }]) => {
      const [fate = '', why = ''] = nameParts(name, 2)
      return { cells: [fate, why === '' ? null : why, proposals, applied] }
    }),
  }
}

/** A person’s answers are what an answer of the model can be held against; a model in their place, and nobody, are not. */
function promptsTable({ prompts }: JevDay): Table {
  return {
    caption: 'Prompts about calls that were proposed, by trigger and by the tenth of the answer behind it',
    columns: [
      textColumn('trigger', 'Trigger'),
      textColumn('tenth', 'Answer from'),
      countColumn('prompts', 'Prompts'),
      countColumn('approved', 'Approved'),
      countColumn('denied', 'Denied'),
      { key: 'deniedShare', label: 'Share denied', kind: 'share' },
      countColumn('nobody', 'Nobody'),
      countColumn('model', 'A model', true),
      countColumn('open', 'No answer yet', true),
    ],
    rows: byName(prompts).map(([name, { prompts: count, approved, denied, nobody, model }]) => {
      const [trigger = '', tenth = ''] = nameParts(name, 2)
      // The prompt may stand on a day before the first that counts.
      const open = Math.max(0, count - approved - denied - nobody - model)
      const share = shareOf(denied, approved + denied)
      return { cells: [trigger, tenth === '' ? null : tenth, count, approved, denied, share, nobody, model, open] }
    }),
  }
}

function nudgesTable({ nudges }: JevDay): Table {
  return {
    caption: 'Requests for one more pass, and the first check behind each before the next message or the end of the session',
    columns: [
      textColumn('applied', 'Agent told'),
      textColumn('tenth', 'Least answer from'),
      countColumn('nudges', 'Requests'),
      countColumn('failed', 'Check failed'),
      countColumn('passed', 'Check passed'),
      { key: 'failedShare', label: 'Share failed', kind: 'share' },
      countColumn('none', 'No check, or none yet'),
    ],
    rows: byName(nudges).map(([name, { nudges: count, failed, passed }]) => {
      const [applied = '', tenth = ''] = nameParts(name, 2)
      return {
        cells: [
          ...[applied === 'applied' ? 'yes' : 'no', tenth === '' ? null : tenth, count, failed, passed],
          ...[shareOf(failed, failed + passed), Math.max(0, count - failed - passed)],
        ],
      }
    }),
  }
}

function checksTable({ checks }: JevDay): Table {
  return {
    caption: 'Checks by their runner, and how they ended',
    columns: [
      textColumn('runner', 'Runner'),
      countColumn('passed', 'Passed'),
      countColumn('failed', 'Failed'),
      countColumn('unknown', 'End unknown'),
    ],
    rows: byName(checks).map(([name, { passed, failed, unknown }]) => ({ cells: [name, passed, failed, unknown] })),
  }
}

function proposalsSection(sum: JevDay, days: ReadonlyMap<string, JevDay>, words: WordsByIndex, limit: number): Section {
  const heading = 'Proposals, newest first'
  const count = Object.values(sum.stages).reduce((all, { predicted }) => all + predicted, 0)
  const listed = newestProposals(days, limit)
  return tabled('proposals', heading, proposalsTable(listed, words, Math.max(0, count - listed.length)), 'Nothing was proposed.')
}

function proposalsTable(stories: readonly JevStory[], words: WordsByIndex, more: number): Table {
  return {
    caption: 'The newest proposals, each with its entry and what became of it',
    columns: [
      textColumn('index', 'Entry'),
      textColumn('tool', 'Tool'),
      textColumn('proposal', 'Proposal'),
      textColumn('triggers', 'Triggers'),
      textColumn('became', 'What became of it'),
      textColumn('shown', 'What was, or would have been, shown'),
      { key: 'stage', label: 'Stage', kind: 'text', detail: true },
      { key: 'mode', label: 'Mode', kind: 'text', detail: true },
      { key: 'time', label: 'Time', kind: 'time', detail: true },
      { key: 'call', label: 'Call at entry', kind: 'text', detail: true },
      { key: 'session', label: 'Session', kind: 'text', detail: true },
    ],
    rows: stories.map((story) => ({
      cells: [
        ...[story.index, story.tool === '' ? null : story.tool, story.proposal],
        ...[story.triggers.length === 0 ? null : story.triggers.join(', '), becameOf(story), shownOf(story, words)],
        ...[story.stage, story.mode, story.time, story.call, story.session === '' ? null : story.session],
      ],
    })),
    more,
  }
}

function becameOf({ applied, why, settled, answer, check }: JevStory): string {
  const told = [
    ...(applied ? [] : [`not applied${why === '' ? '' : ` (${why})`}`]),
    ...(settled === null ? [] : [`${settled.index} ${settled.fate}${settled.applied ? ', the host was told' : ''}`]),
    ...(answer === null ? [] : [`${answer.index} ${answer.outcome === 'model' ? 'a model answered' : answer.outcome}`]),
    ...(check === null ? [] : [`${check.index} check ${check.passed ? 'passed' : 'failed'}`]),
  ]
  return told.length === 0 ? 'applied' : told.join('; ')
}

/** Only what the host was held to has a message. */
function shownOf({ index, applied, proposal }: JevStory, words: WordsByIndex): Value {
  const message = words.get(index)?.['message']
  if (typeof message === 'string') return message
  return applied && proposal !== 'narrow' ? '(forgotten)' : null
}
