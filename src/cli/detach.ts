// `stele serve --detach`: starts a service that goes on without us, and returns when it answers. Hosts wait for it, so it loads little.
// Several starters at once are no trouble: one of them gets the home, and all of them find it.
import { spawn } from 'node:child_process'
import { closeSync, lstatSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { exitCodes, SteleError } from '../foundation/stele-error.js'
import { terminalText } from '../foundation/terminal-text.js'
import { isServing } from '../service/ask-service.js'
import { homeFolder } from '../service/home-folder.js'

export interface DetachOptions {
  /** The home's folder. */
  readonly home: string
  /** As `--listen` takes it; undefined for what the settings say. */
  readonly listen: string | undefined
  readonly json: boolean
  readonly quiet: boolean
}

const program = fileURLToPath(new URL('./main.js', import.meta.url))
const readyMs = 20_000
const askEveryMs = 25
const againMs = 250
/** A starter that has been at it for so long is no longer waited for. */
const starterMs = 10_000

/** What plain words behind `serve` ask for; undefined where the whole command line has to judge them. */
export function readDetachWords(words: readonly string[]): DetachOptions | undefined {
  const flag = { type: 'boolean', default: false } as const
  try {
    const { values } = parseArgs({
      args: [...words],
      options: { detach: flag, home: { type: 'string' }, listen: { type: 'string' }, json: flag, quiet: { ...flag, short: 'q' } },
    })
    const { home, listen, json, quiet } = values
    // An address is judged by the whole command line.
    if (!values.detach || home === '' || (listen !== undefined && listen !== 'off')) return undefined
    return { home: homeFolder(home, process.env), listen, json, quiet }
  } catch {
    return undefined
  }
}

/** Sets the exit code where it did not start, having told why. Throws `SERVICE_UNREACHABLE` where nobody said why. */
export async function detach({ home, listen, json, quiet }: DetachOptions): Promise<void> {
  if (!(await isServing(home)) && !(await startOrWait(home, listen))) return
  if (json) process.stdout.write(`${JSON.stringify({ home, serving: true })}\n`)
  else if (!quiet) process.stdout.write(`${terminalText(`A service of ${home} is running.`)}\n`)
}

/** Starts one, unless another starter is about to: a crowd of them would only be in each other's way. */
async function startOrWait(home: string, listen: string | undefined): Promise<boolean> {
  const deadline = performance.now() + readyMs
  for (;;) {
    const release = takeTurn(home)
    if (release !== undefined) {
      try {
        return await start(home, listen, deadline)
      } finally {
        release()
      }
    }
    if (await isServing(home)) return true
    if (performance.now() > deadline) throw new SteleError('SERVICE_UNREACHABLE')
    await sleep(askEveryMs)
  }
}

/** A file that says who is starting. It only spares work: what keeps a home to one service is the lock of its store. */
export function takeTurn(home: string): (() => void) | undefined {
  const file = join(home, 'starting')
  try {
    mkdirSync(home, { recursive: true, mode: 0o700 })
    const descriptor = openSync(file, 'wx', 0o600)
    writeSync(descriptor, String(process.pid))
    closeSync(descriptor)
    return () => void isRemoved(file)
  } catch (error) {
    // A home that cannot be written to is told by the service itself.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return () => {}
    return isAtIt(file) || isRemoved(file) ? undefined : () => {}
  }
}

/** Whatever lies there. */
function isRemoved(file: string): boolean {
  try {
    rmSync(file, { recursive: true, force: true })
    return true
  } catch {
    return false
  }
}

function isAtIt(file: string): boolean {
  try {
    const found = lstatSync(file)
    // Only a file is a starter's, and reading a pipe would wait for its writer. Nor did anybody make it in the time to come.
    if (!found.isFile() || Math.abs(Date.now() - found.mtimeMs) > starterMs) return false
    const pid = Number(readFileSync(file, 'utf8'))
    // Between making the file and writing into it there is no number yet.
    if (!(pid > 0)) return true
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** A service on its way, and what has come of it. */
interface Child {
  readonly said: () => string
  /** Its exit code; undefined while it runs. */
  readonly ended: () => number | null | undefined
  /** Lets go of it, so that we can end. */
  leave(): void
}

/** False where it did not start, which has been told then. */
async function start(home: string, listen: string | undefined, deadline: number): Promise<boolean> {
  let child = startChild(home, listen)
  try {
    while (performance.now() < deadline) {
      if (await isServing(home)) return true
      if (child.ended() !== undefined) {
        // Somebody else has the home: on its way up, or on its way out, and then it is our turn. Anything else is final.
        if (!/^stele: (SERVICE_RUNNING|STORE_LOCKED): /m.test(child.said())) break
        await sleep(againMs)
        if (await isServing(home)) return true
        child = startChild(home, listen)
      }
      await sleep(askEveryMs)
    }
    if (!/^stele: [A-Z_]+: /m.test(child.said())) throw new SteleError('SERVICE_UNREACHABLE')
    process.stderr.write(`${terminalText(child.said().trim())}\n`)
    process.exitCode = child.ended() || exitCodes.unavailable
    return false
  } finally {
    child.leave()
  }
}

function startChild(home: string, listen: string | undefined): Child {
  const address = listen === undefined ? [] : ['--listen', listen]
  const child = spawn(process.execPath, [program, 'serve', '--home', home, '--idle-exit', '--quiet', ...address], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text
  })
  let ended: number | null | undefined
  child.once('close', (code) => {
    ended = code
  })
  child.once('error', () => {
    ended = null
  })
  return {
    said: () => said,
    ended: () => ended,
    leave: () => {
      child.stderr?.destroy()
      child.unref()
    },
  }
}
