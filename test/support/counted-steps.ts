// Counts what a piece of code does to texts, without a clock: characters that expressions run over, and characters read one by one.

/** An expression that must match at one place looks at no more than this there. */
const placeUnits = 64

export function countedSteps(run: () => void): number {
  let steps = 0
  const { exec } = RegExp.prototype
  const { charCodeAt } = String.prototype
  RegExp.prototype.exec = function counted(text: string): RegExpExecArray | null {
    const from = this.lastIndex
    const found = exec.call(this, text)
    if (this.sticky) steps += placeUnits
    else if (this.global) steps += (found === null ? text.length : this.lastIndex) - from
    else steps += found === null ? text.length : found.index + found[0].length
    return found
  }
  String.prototype.charCodeAt = function counted(at: number): number {
    steps += 1
    return charCodeAt.call(this, at)
  }
  try {
    run()
  } finally {
    RegExp.prototype.exec = exec
    String.prototype.charCodeAt = charCodeAt
  }
  return steps
}
