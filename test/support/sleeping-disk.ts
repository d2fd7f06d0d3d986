// The real disk, of which one folder does not answer while it sleeps: as a network mount whose server is away.
import { lstat, readlink, realpath } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import type { FileSource, FileThere } from '../../src/hooks/file-look.js'

export class SleepingDisk implements FileSource {
  readonly #folder: string
  #awake: Promise<void> = Promise.resolve()
  #wake: () => void = () => undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  sleep(): void {
    this.#awake = new Promise((wake) => {
      this.#wake = wake
    })
  }

  /** Resolves when the looks that were waiting have come back. */
  async wake(): Promise<void> {
    this.#wake()
    for (let round = 0; round < 100; round += 1) await setImmediate()
  }

  async lstat(path: string): Promise<FileThere> {
    await this.#answer(path)
    const found = await lstat(path)
    const kind = found.isSymbolicLink() ? 'link' : found.isDirectory() ? 'folder' : 'file'
    return { kind, identity: `${found.dev}:${found.ino}` }
  }

  async readlink(path: string): Promise<string> {
    await this.#answer(path)
    return readlink(path)
  }

  async realpath(path: string): Promise<string> {
    await this.#answer(path)
    return realpath(path)
  }

  async #answer(path: string): Promise<void> {
    if (path === this.#folder || path.startsWith(`${this.#folder}/`)) await this.#awake
  }
}
