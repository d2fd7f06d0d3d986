// `kill -9` of a process that clears deleted words from the disk, at each of its steps: running it again ends in the same state.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { clearRows } from '../../src/ledger/clear-rows.js'
import { homeFiles } from '../../src/ledger/home-files.js'
import { wantedRows } from '../../src/ledger/wanted-rows.js'
import { findWordRuns } from '../support/decode-store.js'
import { verifyCopy } from '../support/temporary-ledger.js'
import { deleteWords, withStoreOf, wordsStore } from '../support/words-store.js'

const test = suite('clearing killed')
const clearer = fileURLToPath(new URL('../support/clearer.ts', import.meta.url))

for (const [step, afterMs] of [
  ['readers', 0],
  ['tombstones', 0],
  ['tombstones', 3],
  ['compaction', 0],
  ['compaction', 8],
  ['scan', 0],
] as const) {
  test(`a clearing that is killed ${afterMs} ms after it came to its ${step} is ended by the next one`, async () => {
    const words = await wordsStore({ messages: 2000, seed: 40 + afterMs })
    const [first, last] = [300, 1700]
    const texts = [...words.texts].filter(([index]) => index >= first && index <= last).map(([, text]) => text)
    await withStoreOf(words.folder, (store) => deleteWords(store, [[first, last]], words))
    for (let kill = 0; kill < 2; kill += 1) {
      const args = ['--import', 'tsx', clearer, words.folder, String(first), String(last), step, String(afterMs)]
      assert.is(spawnSync(process.execPath, args, { stdio: 'inherit' }).signal, 'SIGKILL')
    }
    await withStoreOf(words.folder, (store) => clearRows(store, words.folder, wantedRows([[first, last]], [])))
    assert.equal(findWordRuns(words.folder, texts), [])
    const { findings, leftOut } = await verifyCopy(homeFiles(words.home))
    // The deletes of this test are no erasure that the ledger tells of: exactly these words are missing, and nothing else is wrong.
    assert.equal([...new Set(findings.map(({ code }) => code))], ['words_missing'])
    assert.is(findings.length + leftOut, last - first + 1)
  })
}

test.run()
