// stele config: every setting in force, and where it comes from.
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { SteleError } from '../foundation/stele-error.js'
import { configFileOf, configFiles, jevKeyVariable, type SettingValue, settingOf, writeSetting } from '../service/config.js'
import { readJevKey } from '../service/jev-key.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { configNoteLine } from './config-note.js'
import { type OwnerOptions, ownersVerb, withOwnerOptions } from './owner.js'
import { serviceStatus } from './status.js'
import { print, printData, printStyled, styled } from './terminal.js'

export function configCommand() {
  return newCommand('config', 'show every setting, its value and where it comes from', [
    'stele config',
    'stele config --json',
    'STELE_CAPABILITY_MODE=enforce stele config',
  ])
    .action(async (options: SharedOptions) => {
      const { config, from, notes, places } = homeOf(options)
      const settings = Object.entries(from).map(([key, place]) => ({
        key,
        value: settingOf(config, key) ?? null,
        from: place,
        file: configFileOf(places, place) ?? null,
      }))
      const files = configFiles(places)
      const waiting = (await serviceStatus(places.home))?.settings.waiting ?? []
      const { state: keyState, from: keyFrom } = readJevKey(places)
      const jevKey = { state: keyState, from: keyFrom ?? null }
      if (options.json) return printData(`${JSON.stringify({ settings, files, waiting, notes, jevKey })}\n`)
      const keyWidth = widest(settings.map(({ key }) => key))
      // A long list stands out of its column and does not push the others away.
      const valueWidth = widest(settings.map(({ value }) => shown(value)).filter((text) => text.length <= columnMax))
      for (const { key, value, from: place } of settings) {
        const isDefault = place === 'default'
        printStyled(
          `${key.padEnd(keyWidth)}  ${styled(isDefault ? 'dim' : 'bold', shown(value).padEnd(valueWidth))}  ${styled('dim', place)}`,
        )
      }
      printStyled(
        `${jevKeyVariable.padEnd(keyWidth)}  ${styled(keyState === 'missing' ? 'dim' : 'bold', keyState.padEnd(valueWidth))}  ${styled('dim', keyFrom ?? '')}`,
      )
      for (const note of notes) print(`\n${configNoteLine(note)}`)
      for (const { key, from: now, to } of waiting) print(`\n${key} is ${now} still: ${to} waits for \`stele config accept\`.`)
      if (options.quiet) return
      print('\nThe first of these places that sets a key has the last word: the environment, then')
      for (const file of files) print(`  ${file}${existsSync(file) ? '' : ' (not there)'}`)
    })
    .addCommand(setCommand())
    .addCommand(acceptCommand())
}

const columnMax = 32

interface SetAnswer {
  readonly key: string
  readonly value: SettingValue | null
  readonly from: string | undefined
  /** Written, and nobody there to put it into force. */
  readonly written?: boolean
}

function setCommand() {
  return withOwnerOptions(
    newCommand('set', 'write a setting into the home and put it into force', [
      'stele config set capability.mode enforce',
      'stele config set service.idleExitMinutes 60',
    ]),
  )
    .argument('<key>', 'a key that `stele config` shows')
    .argument('<value>', 'its new value')
    .action(async (key: string, value: string, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SharedOptions & OwnerOptions>()
      const home = homeOf(options)
      const answer = await ownersVerb<SetAnswer>(home, options, {
        question: `This sets ${key} to ${value}. Go on?`,
        path: '/v1/owner/config-set',
        body: { key, value },
        alone: async () => {
          writeSetting(home.places, key, value)
          const { config, from } = homeOf(options)
          return { key, value: settingOf(config, key) ?? null, from: from[key], written: true }
        },
      })
      if (options.json) return printData(`${JSON.stringify(answer)}\n`)
      print(`${key} is ${shown(answer.value)} (${answer.from ?? 'default'})`)
      if (answer.written === true)
        print('No service runs: where that protects less than before, it waits for `stele config accept`.')
      if (String(answer.value) !== value)
        print(`${answer.from ?? 'Another place'} has the last word over config.yaml of the home.`)
    })
}

/** What protects less waits for this; without a service it waits on, since only the ledger's keeper can put it into force. */
function acceptCommand() {
  return withOwnerOptions(newCommand('accept', 'let settings come into force that protect less', ['stele config accept'])).action(
    async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<SharedOptions & OwnerOptions>()
      const home = homeOf(options)
      const { accepted } = await ownersVerb<{ accepted: readonly { key: string; from: string; to: string }[] }>(home, options, {
        question: 'This lets settings come into force that protect less. Go on?',
        path: '/v1/owner/config-accept',
        body: {},
        alone: () => Promise.reject(new SteleError('SERVICE_UNREACHABLE')),
      })
      if (options.json) return printData(`${JSON.stringify({ accepted })}\n`)
      for (const { key, from, to } of accepted) print(`${key} goes from ${from} to ${to}`)
    },
  )
}

function shown(value: SettingValue | null): string {
  return String(value ?? 'none')
}

function widest(texts: readonly string[]): number {
  return Math.max(...texts.map((text) => text.length))
}
