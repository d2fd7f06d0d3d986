// checkpoints.txt and its mirrors: each line one note as a JSON string, appended and synced.
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { SteleError } from '../foundation/stele-error.js'

/** Appends one note as a JSON string on a line, and waits for the disk. What a crash left of a line before it is taken away. */
export function appendCheckpointLine(file: string, note: string): void {
  try {
    const descriptor = openSync(file, constants.O_RDWR | constants.O_CREAT | constants.O_APPEND, 0o600)
    try {
      cutTornLine(descriptor)
      writeSync(descriptor, `${JSON.stringify(note)}\n`)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  } catch (cause) {
    throw new SteleError('FILE_UNWRITABLE', { file: 'checkpoints.txt' }, { cause })
  }
}

/** No line is longer than this. */
const lineBytesMax = 64 * 1024

/** A line of ours that broke off begins with a quote; anything else is somebody's file that was named by mistake. */
function cutTornLine(descriptor: number): void {
  const { size } = fstatSync(descriptor)
  const tail = Buffer.alloc(Math.min(size, lineBytesMax))
  readSync(descriptor, tail, 0, tail.length, size - tail.length)
  const torn = tail.subarray(tail.lastIndexOf(0x0a) + 1)
  if (torn.length === 0) return
  if (torn[0] !== 0x22) throw new Error('the last line is none of ours')
  ftruncateSync(descriptor, size - torn.length)
}

/** The notes of whole lines, oldest first; a line that broke off or is no JSON string is left out. */
export function readCheckpointLines(file: string): string[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (cause) {
    if (cause instanceof Error && 'code' in cause && cause.code === 'ENOENT') return []
    throw new SteleError('FILE_UNREADABLE', { file: 'checkpoints.txt' }, { cause })
  }
  // What stands behind the last line feed is a torn write of a crash.
  return text
    .split('\n')
    .slice(0, -1)
    .flatMap((line) => checkpointOfLine(line))
}

/** Keeps only some notes. The new file takes the place of the old one at once: a crash leaves one or the other. */
export function rewriteCheckpointLines(file: string, keep: (note: string) => boolean): void {
  const kept = readCheckpointLines(file).filter(keep)
  writeFileSync(`${file}.new`, kept.map((note) => `${JSON.stringify(note)}\n`).join(''), { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
}

/** The note of one line; none of what is no JSON string. */
export function checkpointOfLine(line: string): string[] {
  try {
    const note: unknown = JSON.parse(line)
    return typeof note === 'string' ? [note] : []
  } catch {
    return []
  }
}
