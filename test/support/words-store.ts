// Stores with the rows of a ledger of some thousand entries, whose words are then deleted as `forget` deletes them.
import { join } from 'node:path'
import { planErasure } from '../../src/ledger/erasure.js'
import { homeFiles } from '../../src/ledger/home-files.js'
import { openStore, type Store } from '../../src/ledger/store.js'
import { makeRandom, type Random } from './seeded-random.js'
import { temporaryFolder } from './temporary-folder.js'
import { message, sessionStarted, temporaryLedger } from './temporary-ledger.js'

export interface WordsStore {
  /** The folder of the store. */
  readonly folder: string
  readonly home: string
  /** Entries there are: index 0 is the ledger's own, index 1 starts the session, all others are messages. */
  readonly size: number
  /** The text of a message, by index. */
  readonly texts: ReadonlyMap<number, string>
  /** Keyed digest of a host's session id, as the ledger makes it. */
  readonly sessionDigest: (session: string) => string
}

export const hostSession = 'the host calls it so'

/** A closed ledger; nobody has its store open. */
export async function wordsStore({ messages = 3000, seed = 1 }: { messages?: number; seed?: number } = {}): Promise<WordsStore> {
  const home = join(temporaryFolder(), 'home')
  const { ledger } = await temporaryLedger({ home, seed })
  const random = makeRandom(seed)
  const texts = new Map<number, string>()
  const handle = await ledger.sessionHandle(hostSession)
  await ledger.append([sessionStarted(handle, hostSession)])
  while (texts.size < messages) {
    const some = Array.from({ length: Math.min(50, messages - texts.size) }, (_, at) => someText(random, texts.size + at))
    const { index } = await ledger.append(some.map((text) => message(text, handle)))
    for (const [at, text] of some.entries()) texts.set(index + at, text)
  }
  const { size } = ledger
  const digests = new Map([[hostSession, ledger.digest('session', hostSession)]])
  await ledger.close()
  return { folder: homeFiles(home).store, home, size, texts, sessionDigest: (session) => digests.get(session) ?? '' }
}

/** Deletes the words of entries, as an erasure does. */
export async function deleteWords(
  store: Store,
  ranges: readonly (readonly [number, number])[],
  { sessionDigest }: Pick<WordsStore, 'sessionDigest'>,
): Promise<void> {
  const { deletes, ways } = await planErasure(store, ranges, sessionDigest)
  await store.write([], [...deletes, ...ways])
}

/** Opens the store of a home, hands it on, and closes it whatever happens. */
export async function withStoreOf<Result>(folder: string, task: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(folder)
  try {
    return await task(store)
  } finally {
    await store.close()
  }
}

/** At least eight words, most of them of their own. */
function someText(random: Random, number: number): string {
  const words = Array.from({ length: 6 + random.int(30) }, (_, at) =>
    at % 2 === 0 && random.chance(3) ? 'again' : random.hex(3),
  )
  return `message ${number} ${words.join(' ')}`
}
