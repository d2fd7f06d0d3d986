// Stops the process on a mistake of ours: an assertion never speaks about the caller or the world.

export class AssertionFailed extends Error {
  override readonly name = 'AssertionFailed'
}

/** Throws `AssertionFailed` unless the condition holds. The message is for us and holds no words of a user. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AssertionFailed(message)
}
