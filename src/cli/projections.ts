// stele projections: how far the views of a home are, and making them anew.
import { Command } from 'commander'
import type { ViewsState } from '../service/view-questions.js'
import { askViews } from '../service/views-of-home.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { print, printData, printStyled, progressBar, styled } from './terminal.js'

export function projectionsCommand() {
  const status = newCommand('status', 'show which views there are, and how far each has come', [
    'stele projections status',
    'stele projections status --json',
  ]).action(async (options: SharedOptions) => {
    const state = await askViews(homeOf(options), { ask: 'state' })
    if (options.json) await printData(`${JSON.stringify({ size: state.size, views: state.views.map(shown(state)) })}\n`)
    else printState(state)
  })
  const rebuild = newCommand('rebuild', 'make views anew from the ledger; no answer changes by it', [
    'stele projections rebuild',
    'stele projections rebuild sessions',
  ])
    .argument('[name]', 'only this view; all of them where it is left out')
    .action(async (name: string | undefined, options: SharedOptions) => {
      const bar = progressBar('rebuilding', options.quiet === true || options.json === true)
      const startedMs = performance.now()
      try {
        const { size } = await askViews(homeOf(options), { ask: 'rebuild', name }, (done, of) => bar.update(done, of))
        const seconds = (performance.now() - startedMs) / 1000
        await told({ rebuilt: name ?? 'all', size, seconds, entriesPerSecond: Math.round(size / seconds) }, bar.stop, options)
      } finally {
        bar.stop()
      }
    })
  return new Command('projections')
    .description('the views that are made from the ledger')
    .addHelpText('after', '\nExamples:\n  $ stele projections status\n  $ stele projections rebuild sessions')
    .addCommand(status)
    .addCommand(rebuild)
}

interface Rebuilt {
  readonly rebuilt: string
  readonly size: number
  readonly seconds: number
  readonly entriesPerSecond: number
}

async function told(rebuilt: Rebuilt, stopBar: () => void, { json, quiet }: SharedOptions): Promise<void> {
  stopBar()
  if (json) await printData(`${JSON.stringify(rebuilt)}\n`)
  else if (!quiet)
    print(`${rebuilt.size} entries in ${rebuilt.seconds.toFixed(1)} s: ${rebuilt.entriesPerSecond} entries a second`)
}

const shown =
  ({ size }: ViewsState) =>
  ({ name, version, position }: ViewsState['views'][number]) => ({ name, version, position, behind: size - position })

function printState(state: ViewsState): void {
  for (const { name, version, position, behind } of state.views.map(shown(state))) {
    const how = behind === 0 ? styled('green', 'up to date') : styled('yellow', `${behind} behind`)
    printStyled(`${styled('bold', name.padEnd(12))} version ${version}  ${position} of ${state.size}  ${how}`)
  }
  if (state.views.length === 0) print('Views cannot be kept here just now; every answer is made from the ledger.')
}
