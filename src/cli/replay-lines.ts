// What `stele replay` shows to a person, line by line; everything that is stored is escaped here.
import { terminalLine } from '../foundation/terminal-text.js'
import type { AgainCounts, Cluster, ShortAnswer } from '../replay/counterfactual.js'
import type { ForensicTurn } from '../replay/forensic.js'
import type { ForensicLine, StepKind } from '../replay/forensic-line.js'
import { type NotAgain, notAgainReasons } from '../replay/gate-replay.js'
import type { Difference, VersionCounts } from '../replay/reproduce.js'
import type { Head } from '../service/look-back.js'
import { type Colour, styled } from './terminal.js'

const lineCharactersMax = 300

export function replayHeadLine({ ledger, size, head }: Head): string {
  return `computed on ledger ${ledger}, ${size} entries, head ${head}`
}

export function turnLines({ turn, steps }: ForensicTurn): string[] {
  const title = turn === 0 ? 'before the first turn' : `turn ${turn}`
  return [styled('bold', title), ...steps.flatMap(({ lines }) => lines.map((line, at) => stepLine(line, at === 0 ? 1 : 2)))]
}

const colours: Partial<Record<StepKind, Colour>> = { typed: 'bold', told: 'green', mismatch: 'red', approval: 'yellow' }

function stepLine({ index, kind, text }: ForensicLine, depth: number): string {
  const shown = `${'  '.repeat(depth)}${kind.padEnd(9)} ${terminalLine(text, lineCharactersMax)}`
  const colour = colours[kind]
  return `${styled('dim', String(index).padStart(6))} ${colour === undefined ? terminalLine(shown) : styled(colour, shown)}`
}

export function clusterLines(clusters: readonly Cluster[]): string[] {
  return clusters.flatMap(({ gate, tool, rule, before, after, count, newest }) => [
    styled('bold', `${count} × ${gate}, ${tool === '' ? 'no tool' : tool}${rule === '' ? '' : `, rule ${rule}`}`),
    `  ${styled('dim', answerText(before))} → ${styled(toldColour(after), answerText(after))}`,
    ...newest.map(
      ({ index, judges, time }) => `  ${styled('dim', `${String(index).padStart(6)} ${time} judges entry ${judges}`)}`,
    ),
    ...(count > newest.length ? [styled('dim', `  and ${count - newest.length} more`)] : []),
  ])
}

const toldWords: Readonly<Record<ShortAnswer['told'], string>> = {
  nothing: 'the call goes on',
  block: 'the call is blocked',
  ask: 'a person is asked',
  continue: 'the agent is asked for one more pass',
}

function answerText({ verdict, code, told }: ShortAnswer): string {
  const said = verdict !== 'none' ? `${verdict} (${code})` : code === '' ? 'not judged' : `no opinion (${code})`
  return `${said}, ${toldWords[told]}`
}

function toldColour({ told }: ShortAnswer): Colour {
  return told === 'block' ? 'red' : told === 'nothing' ? 'green' : 'yellow'
}

const whyNotAgain: Readonly<Record<NotAgain, string>> = {
  forgotten: 'words are forgotten',
  not_recorded: 'what they hang on was not recorded',
  failed_then: 'judging failed then',
  gate_unknown: 'of a gate that this version has not',
}

export function countLine({ decisions, same, different, notAgain }: AgainCounts): string {
  const total = notAgainReasons.reduce((sum, why) => sum + notAgain[why], 0)
  const reasons = notAgainReasons.filter((why) => notAgain[why] > 0).map((why) => `${notAgain[why]} ${whyNotAgain[why]}`)
  const cannot = `${total} cannot be judged again${reasons.length === 0 ? '' : ` (${reasons.join(', ')})`}`
  return `${decisions} decisions: ${same} same, ${styled(different === 0 ? 'green' : 'red', `${different} different`)}, ${cannot}`
}

export function differenceLines(differences: readonly Difference[], total: number): string[] {
  const more = total > differences.length ? [styled('dim', `and ${total - differences.length} more`)] : []
  return [...differences.flatMap(differenceText), ...more]
}

function differenceText({ index, judges, time, gate, gateVersion, tool, before, after, parts }: Difference): string[] {
  const { recorded, today } = gateVersion
  const versions =
    recorded === null ? `${gate}, which tells no version` : `${gate} version ${recorded} then, ${today ?? 'none'} today`
  const claims = parts.includes('claims') ? [`  claims ${claimsText(before)} → ${claimsText(after)}`] : []
  return [
    styled('bold', `entry ${index} ${time}: ${tool === '' ? 'no tool' : tool} of entry ${judges}; ${versions}`),
    `  ${styled('dim', answerText(before))} → ${styled('red', answerText(after))}`,
    ...claims.map((line) => terminalLine(line, lineCharactersMax)),
  ]
}

function claimsText({ claims }: Difference['before']): string {
  if (claims.length === 0) return 'none'
  return claims.map(({ rule, outcome, reason }) => `${rule} ${reason ?? outcome}`).join(', ')
}

export function versionLines(versions: readonly VersionCounts[]): string[] {
  return versions.map(({ gate, recorded, today, decisions, different }) =>
    styled(
      'dim',
      `  ${gate}${recorded === null ? '' : ` ${recorded} (today ${today ?? 'none'})`}: ${decisions} decisions, ${different} different`,
    ),
  )
}
