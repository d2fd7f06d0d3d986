// stele policy show and use: the allowlist that holds, and the owner's word that another one does.
import { existsSync } from 'node:fs'
import type { Command } from 'commander'
import { SteleError } from '../foundation/stele-error.js'
import { policyBytes, policyFile, readPolicy, usablePolicy } from '../service/policy-file.js'
import { homeOf, newCommand, type SharedOptions } from './command.js'
import { withOwnService } from './own-service.js'
import { type OwnerOptions, ownersVerb, withOwnerOptions } from './owner.js'
import { printPolicyChange } from './print-policy-change.js'
import { serviceStatus } from './status.js'
import { print, printData } from './terminal.js'

export function policyShowCommand() {
  return newCommand('show', 'show the allowlist in force, and what waits for the owner', [
    'stele policy show',
    'stele policy show --json',
  ])
    .addHelpText('after', '\nWithout a service nothing is in force: then use `stele policy lint` on the file.')
    .action(async (options: SharedOptions) => {
      const status = await serviceStatus(homeOf(options).files.home)
      if (status?.policy === undefined) throw new SteleError('SERVICE_UNREACHABLE')
      const { policy } = status
      if (options.json) return printData(`${JSON.stringify(policy)}\n`)
      if (policy.text === null) print(`No allowlist is in force, so nothing is granted. Its place is ${policy.file}.`)
      else {
        print(`# in force: ${policy.digest?.slice(0, 12) ?? 'nothing'}, from ${policy.file}`)
        await printData(policy.text.endsWith('\n') ? policy.text : `${policy.text}\n`)
      }
      if (policy.rejected !== null)
        print(`\nThe file as it is cannot be used (${policy.rejected.code}): run \`stele policy lint ${policy.file}\`.`)
      if (policy.waiting === null) return
      print('\nIts file asks for more. Until `stele policy use` only what both grant is granted:')
      printPolicyChange(policy.waiting.change)
    })
}

export function policyUseCommand() {
  return withOwnerOptions(
    newCommand('use', 'put an allowlist into force, or the one that waits', [
      'stele policy use',
      'stele policy use ./allowlist.yaml',
      'stele policy use 3f9a1c02   # one that was in force before, by its digest',
    ]),
  )
    .argument('[file]', 'the file of grants, or the beginning of a digest of `stele log --type policy.activated`')
    .action(async (file: string | undefined, _: unknown, command: Command) => {
      const options = command.optsWithGlobals<SharedOptions & OwnerOptions>()
      const home = homeOf(options)
      const wanted = wantedPolicy(file)
      const answer = await withOwnService(home, () =>
        ownersVerb<{ digest: string; file: string }>(home, options, {
          question:
            file === undefined ? 'This takes up the allowlist that waits. Go on?' : `This puts ${file} into force. Go on?`,
          path: '/v1/owner/policy-use',
          body: wanted,
          alone: () => Promise.reject(new SteleError('SERVICE_UNREACHABLE')),
        }),
      )
      if (options.json) return printData(`${JSON.stringify(answer)}\n`)
      print(`The allowlist ${answer.digest.slice(0, 12)} is in force, as ${answer.file}.`)
    })
}

/** Looked through here first, where everything that is wrong can be told. Throws `POLICY_INVALID`, `FILE_UNREADABLE`. */
function wantedPolicy(file: string | undefined): { readonly text?: string; readonly digest?: string } {
  if (file === undefined) return {}
  if (!existsSync(file) && /^[0-9a-f]{8,64}$/.test(file)) return { digest: file }
  usablePolicy(readPolicy(policyFile(file), process.env), { file })
  return { text: Buffer.from(policyBytes(file)).toString('utf8') }
}
