// A session is forgotten while its host goes on speaking, again and again: what was said before is gone each time, and nobody is refused.
// time limit: 300 s
import { setTimeout as sleep } from 'node:timers/promises'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { askHome, askOwnerOf, goneSession, keptSession, sevenWords } from '../support/forgetting-home.js'
import { answered, typed } from '../support/running-service.js'
import { steleBeside } from '../support/service-commands.js'
import { endServices, homeForService, startServiceProcess } from '../support/service-process.js'
import { json } from '../support/stele-command.js'
import { findWordRunsInHome } from '../support/words-in-home.js'

const test = suite('erase under load')
test.after(endServices)

const erasures = 8

/** What was said by then, once that is something new: a session of which nothing is known cannot be forgotten. */
async function moreOf(said: readonly string[]): Promise<readonly string[]> {
  const { length } = said
  await sleep(400)
  while (said.length === length) await sleep(20)
  return [...said]
}

test('what a session said before it was forgotten is gone, however fast its host goes on and whoever reads meanwhile', async () => {
  const home = homeForService()
  const service = await startServiceProcess(home)
  const said = { gone: [] as string[], kept: [] as string[] }
  let over = false
  const speak = async (writer: number): Promise<void> => {
    const isGone = writer % 2 === 1
    for (let at = 0; !over; at += 1) {
      const text = sevenWords(`w${writer}x`, at)
      const payload = typed(text, `${writer}-${at}`, isGone ? goneSession : keptSession)
      assert.is((await askHome(home, '/v1/hooks', payload)).status, 200)
      said[isGone ? 'gone' : 'kept'].push(text)
      await sleep(5)
    }
  }
  const read = async (): Promise<void> => {
    while (!over) {
      const ran = await steleBeside(['log', '--limit', '50', '--home', home], '')
      assert.ok(ran.status === 0 || ran.stderr.includes('SNAPSHOT_REMOVED'), ran.stderr)
      answered(await askHome(home, '/v1/search?words=alpha'))
    }
  }
  const others = Promise.all([...[0, 1, 2, 3].map(speak), read()])
  // Told below; without this a failure of the erasures would end the process before it is told.
  others.catch(() => {})
  const body = { what: { session: goneSession }, reason: 'again', confirmation: { how: 'terminal' } }
  try {
    for (let round = 0; round < erasures; round += 1) {
      const before = await Promise.race([moreOf(said.gone), others.then(() => said.gone)])
      answered(await askOwnerOf(home, '/v1/owner/erase', body))
      // A snapshot that a reader takes away just now is nobody's copy.
      const left = findWordRunsInHome(home, before).filter((found) => !found.startsWith('snapshots'))
      assert.equal(left, [], `round ${round}`)
    }
  } finally {
    over = true
    await others
  }
  answered(await askOwnerOf(home, '/v1/owner/erase', body))
  assert.equal(findWordRunsInHome(home, said.gone), [], 'nothing was said under a handle that nobody finds')
  const kept = new Set(findWordRunsInHome(home, said.kept).map((found) => found.split(': ')[1]))
  assert.is(kept.size, 2 * said.kept.length)
  const report = json<{ ok: boolean; findings: object[]; erased: number }>(
    await steleBeside(['verify', '--json', '--home', home], ''),
  )
  assert.equal([report.ok, report.findings], [true, []])
  assert.ok(report.erased >= said.gone.length)
  await service.end()
})

test.run()
