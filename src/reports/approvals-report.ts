// Who was asked to approve what, and who said yes: sums over the days of the approvals view, and the newest stories from the question to the
// outcome, in the order of their entries.
import {
  type ApprovalStory,
  type ApprovalsDay,
  approvals,
  newestStories,
  type RanWithout,
  ranWithout,
} from '../projections/approvals.js'
import { countedDays, notesOfDays, spanOfDays } from './counted-days.js'
import { countColumn, countFigure, type Report, type ReportFrame, type Section, type Table, type Value } from './report.js'
import { summedCounts } from './summed-counts.js'

type WordsByIndex = ReadonlyMap<number, Readonly<Record<string, unknown>>>

/** `words` of `approval.requested`, or of the `gate.decided` that wanted one, by their index; absent where they are forgotten. */
export function approvalsReport(
  days: ReadonlyMap<string, ApprovalsDay>,
  words: WordsByIndex,
  frame: ReportFrame,
  { limit }: { readonly limit: number },
): Report {
  const counted = countedDays(days, frame)
  const sum = { ...summedCounts([...counted.values()], approvals.initial()), waited: waitedOf(counted) }
  return {
    name: 'approvals',
    title: 'Approvals',
    frame,
    span: spanOfDays(counted),
    figures: figuresOf(sum),
    sections: [answersSection(sum), surfacesSection(sum), ranSection(sum), storiesSection(counted, words, limit)],
    notes: [
      ...notesOfDays('day', frame),
      'A host tells of an approval that it asked somebody for. Of one that it gave or refused by a rule of its own, with nobody asked, it tells nothing: then a call that should have been asked about stands as one that nobody was asked about.',
      ...(sum.probes === 0 ? [] : ['What stele doctor asked for is left out of all counts.']),
    ],
  }
}

/** The longest wait is no sum. */
function waitedOf(days: ReadonlyMap<string, ApprovalsDay>): ApprovalsDay['waited'] {
  const all = [...days.values()].map(({ waited }) => waited)
  return {
    answers: all.reduce((sum, { answers }) => sum + answers, 0),
    sumMs: all.reduce((sum, { sumMs }) => sum + sumMs, 0),
    maxMs: Math.max(0, ...all.map(({ maxMs }) => maxMs)),
  }
}

function figuresOf({ requests, asked, answers, by, lasting, unanswered, waited, ranWithout: ran, probes }: ApprovalsDay) {
  const meanMs = waited.answers === 0 ? null : waited.sumMs / waited.answers
  return [
    countFigure('requests', 'Requests', requests),
    countFigure('askedByRule', 'Of these, wanted by a rule of a plugin', asked.rule),
    countFigure('askedByHost', 'Of these, by the host itself', asked.host),
    countFigure('answers', 'Answers', answers),
    countFigure('byPerson', 'Of these, by a person', by.person),
    countFigure('byModel', 'Of these, by a model in a person’s place', by.model),
    countFigure('byNobody', 'Of these, by nobody: it ran out, or could not be shown', by.nobody),
    countFigure('lasting', 'Answers that hold for more than one call', lasting),
    countFigure('unanswered', 'Requests that nobody answers any more', unanswered),
    { key: 'meanWait', label: 'Mean time to an answer', kind: 'duration', value: meanMs },
    { key: 'longestWait', label: 'Longest time to an answer', kind: 'duration', value: meanMs === null ? null : waited.maxMs },
    countFigure('ranUnasked', 'Calls that ran and nobody was asked', ran.unasked),
    countFigure('ranEarly', 'Calls that ran before the answer', ran.early),
    countFigure('ranRefused', 'Calls that ran against the answer', ran.refused),
    countFigure('probes', 'Approvals of stele doctor, left out', probes),
  ] as const satisfies Report['figures']
}

function answersSection({ answers, answered, by, unknownRequest }: ApprovalsDay): Section {
  const head = { key: 'answers', heading: 'Answers' }
  if (answers === 0) return { ...head, note: 'Nobody answered anything.' }
  const named = Object.entries(answered).sort(([, a], [, b]) => b.answers - a.answers)
  return {
    ...head,
    ...(unknownRequest === 0 ? {} : { note: `To a request that nobody knows of: ${unknownRequest}.` }),
    table: {
      caption: 'Answers in the host’s words, and by who gave them',
      columns: [
        { key: 'by', label: 'By', kind: 'text' },
        { key: 'name', label: 'Name', kind: 'text' },
        countColumn('answers', 'Answers'),
      ],
      rows: [
        ...named.map(([name, of]) => ({ cells: ['answer', name === '' ? '(none)' : name, of.answers] })),
        ...Object.entries(by).map(([name, count]) => ({ cells: ['answerer', name, count] })),
      ],
    },
  }
}

function surfacesSection({ surfaces }: ApprovalsDay): Section {
  const head = { key: 'surfaces', heading: 'By surface' }
  const rows = Object.entries(surfaces).sort(([one], [other]) => (one < other ? -1 : 1))
  if (rows.length === 0) return { ...head, note: 'Nobody was asked anything.' }
  return {
    ...head,
    table: {
      caption: 'Requests and answers by where they were shown',
      columns: [
        { key: 'surface', label: 'Surface', kind: 'text' },
        countColumn('requests', 'Requests'),
        countColumn('answers', 'Answers'),
      ],
      rows: rows.map(([name, of]) => ({ cells: [name === '' ? '(not named)' : name, of.requests, of.answers] })),
    },
  }
}

const ranWords: Readonly<Record<RanWithout, string>> = {
  unasked: 'a gate wanted it asked, and no question is on record',
  early: 'it came back before the answer',
  refused: 'it ran though the answer was no, or there was none',
}

function ranSection({ ranWithout: ran }: ApprovalsDay): Section {
  const head = { key: 'ran', heading: 'Ran without a yes' }
  if (Object.values(ran).every((count) => count === 0))
    return { ...head, note: 'No call ran without a yes that should have had one.' }
  return {
    ...head,
    table: {
      caption: 'Calls that ran though nobody had said yes by then',
      columns: [
        { key: 'why', label: 'Why', kind: 'text' },
        countColumn('calls', 'Calls'),
        { key: 'means', label: 'What it means', kind: 'text', detail: true },
      ],
      rows: Object.entries(ranWords).map(([why, means]) => ({ cells: [why, ran[why as RanWithout], means] })),
    },
  }
}

function storiesSection(days: ReadonlyMap<string, ApprovalsDay>, words: WordsByIndex, limit: number): Section {
  const head = { key: 'stories', heading: 'From the question to the outcome, newest first' }
  const all = newestStories(days, Number.POSITIVE_INFINITY)
  if (all.length === 0) return { ...head, note: 'Nothing was to be approved.' }
  return { ...head, table: storiesTable(all.slice(0, limit), words, Math.max(0, all.length - limit)) }
}

function storiesTable(stories: readonly ApprovalStory[], words: WordsByIndex, more: number): Table {
  return {
    caption: 'Calls that were to be approved, each with its entries in their order',
    columns: [
      { key: 'order', label: 'Entries in order', kind: 'text' },
      { key: 'tool', label: 'Tool', kind: 'text' },
      { key: 'path', label: 'How it was approved', kind: 'text' },
      { key: 'shown', label: 'What was shown', kind: 'text' },
      { key: 'waited', label: 'Waited', kind: 'duration', detail: true },
      { key: 'surface', label: 'Surface', kind: 'text', detail: true },
      { key: 'time', label: 'Time', kind: 'time', detail: true },
      { key: 'call', label: 'Call at entry', kind: 'text', detail: true },
      { key: 'session', label: 'Session', kind: 'text', detail: true },
    ],
    rows: stories.map((story) => ({
      cells: [
        ...[orderOf(story), story.tool === '' ? null : story.tool, pathOf(story), shownOf(story, words)],
        ...[story.answer?.waitedMs ?? null, story.request?.surface ?? null, story.time, story.call],
        story.session === '' ? null : story.session,
      ],
    })),
    more,
  }
}

/** Each with its word, as they came: a file that was changed before anybody was asked shows it. */
function orderOf({ call, wanted, request, answer, outcome }: ApprovalStory): string {
  const told: readonly (readonly [string, number | undefined | null])[] = [
    ['call', call],
    ['wanted', wanted],
    ['asked', request?.index],
    ['answered', answer?.index],
    [outcome?.status === 'blocked' ? 'stopped' : 'back', outcome?.index],
  ]
  return told
    .flatMap(([word, index]) => (typeof index === 'number' ? [{ word, index }] : []))
    .sort((one, other) => one.index - other.index)
    .map(({ word, index }) => `${index} ${word}`)
    .join(', ')
}

const byWords: Readonly<Record<NonNullable<ApprovalStory['answer']>['by'], string>> = {
  person: 'a person',
  model: 'a model',
  nobody: 'nobody',
  unknown: 'somebody, the host does not say who',
}

function pathOf(story: ApprovalStory): string {
  const { request, answer, outcome } = story
  const ran = ranWithout(story)
  const warned = ran === undefined ? '' : ` – ${ranWords[ran]}`
  if (answer !== null) return `${byWords[answer.by]}: ${answer.answer === '' ? 'no answer' : answer.answer}${warned}`
  if (request !== null) return `no answer${outcome === null ? ' yet' : ''}${warned}`
  return outcome === null ? 'nobody was asked yet' : `nobody was asked${warned}`
}

function shownOf({ request, wanted }: ApprovalStory, words: WordsByIndex): Value {
  const of = words.get(request?.index ?? wanted ?? -1)
  if (request === null && wanted === null) return null
  if (of === undefined) return '(forgotten)'
  const { command, description, reason } = of
  const told = [command, description, reason].filter((text): text is string => typeof text === 'string' && text !== '')
  return told.length === 0 ? null : told.join(' – ')
}
