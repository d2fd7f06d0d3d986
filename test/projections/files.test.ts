// Holds the view of files to what looks and judged writes said of them.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type FilesView, filesPart, landedMax } from '../../src/projections/files.js'
import { viewAsOf } from '../../src/projections/projection-runner.js'
import { RandomHistory } from '../support/random-history.js'

const test = suite('files')

const [here, there, one, other] = ['a1', 'a2', 'b1', 'b2'].map((pair) => pair.repeat(32)) as [string, string, string, string]

async function viewOf(history: RandomHistory): Promise<FilesView> {
  const parts = await viewAsOf('files', history.source().storedEntries(0, history.rows.length))
  assert.equal([...parts.keys()], [filesPart])
  return parts.get(filesPart) as FilesView
}

test('of each place the newest look counts, the newest last; and what judged writes left stands beside it', async () => {
  const history = new RandomHistory(1)
  const notice = (...files: readonly object[]): number =>
    history.add('file.noticed', 1, '', { turn: 0, files: files.map((file) => ({ target: 'memory', ...file })) }, { names: [] })
  notice({ place: here, found: one }, { place: there, found: one })
  notice({ place: here, found: null, before: one, since: 0 })
  const landed = { compared: 'as_judged', foretold: true }
  history.add('write.landed', 1, '', {
    call: 0,
    write: 0,
    files: [
      { ...landed, found: other },
      { compared: 'unread', foretold: true },
    ],
  })
  history.add('write.landed', 1, '', { call: 0, write: 0, files: [{ ...landed, found: one }], probe: true })
  const view = await viewOf(history)
  assert.equal(Object.entries(view.places), [
    [there, { found: one, index: 0 }],
    [here, { found: null, index: 1 }],
  ])
  assert.equal(view.landed, [{ found: other, index: 2 }])
})

test('it stays small: of what judged writes left the newest are kept', async () => {
  const history = new RandomHistory(2)
  const file = { found: one, compared: 'as_judged', foretold: true }
  for (let at = 0; at < landedMax + 9; at += 1) history.add('write.landed', 1, '', { call: 0, write: 0, files: [file] })
  const { landed } = await viewOf(history)
  assert.equal([landed.length, landed[0]?.index], [512, 9])
})

test.run()
