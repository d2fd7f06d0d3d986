// Keys of a terminal, one at a time, without waiting for the end of a line. Whoever opens them gives the terminal back as it was.

export interface TerminalKeys {
  /** The next key that is pressed; undefined once the terminal has gone. */
  readonly next: () => Promise<string | undefined>
  /** Forgets what was pressed by now: it was meant for what stood on the screen before. Control-C is meant whatever stands there. */
  readonly forget: () => void
  readonly close: () => void
}

const controlC = '\u0003'

/** Over standard input, which must be a terminal. */
export function openTerminalKeys(input: NodeJS.ReadStream = process.stdin): TerminalKeys {
  const pressed: string[] = []
  let isOver = false
  let wake = (): void => {}
  const take = (text: string): void => {
    pressed.push(...keysIn(text))
    wake()
  }
  const end = (): void => {
    isOver = true
    wake()
  }
  input.setRawMode(true)
  input.setEncoding('utf8').on('data', take).on('end', end).on('close', end).resume()
  return {
    next: async () => {
      while (pressed.length === 0 && !isOver)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      return pressed.shift()
    },
    forget: () => {
      const wantsOut = pressed.includes(controlC)
      pressed.length = 0
      if (wantsOut) pressed.push(controlC)
    },
    close: () => {
      input.setRawMode(false)
      input.off('data', take).off('end', end).off('close', end).pause()
    },
  }
}

// An arrow or a function key comes as one piece that begins with an escape: no letter of it is a key.
const escapes = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|O[ -~]|.)?/gsu

/** The keys in what a terminal sent at once; one that sends more than a character is an escape. */
export function keysIn(text: string): string[] {
  return Array.from(text.replace(escapes, '\u001b'))
}
