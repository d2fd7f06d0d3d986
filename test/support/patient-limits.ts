// Bounds for reading the host's files in tests: those of the program, but for the time, which is a busy machine's.
import { type ReadingLimits, readingLimits } from '../../src/hooks/hermes/store-reading.js'

export const patient: ReadingLimits = { ...readingLimits, timeoutMs: 60_000 }
