// The codes of the capability gate in words, for everything that shows them to a person. What another version of Stele has written shows as
// it is.

export const codeWords: Readonly<Record<string, string>> = {
  granted: 'a grant covers it',
  skill_not_listed: 'the skill stands nowhere in the allowlist',
  tool_not_granted: 'no grant of the skill names the tool',
  path_not_granted: 'a path that it would reach is not granted',
  path_dangling: 'a path leads to a link that leads nowhere',
  path_looping: 'a path leads into links that go in a circle',
  path_unreadable: 'where a path leads could not be looked at, or the arguments cannot be read',
  path_unresolved: 'where a path leads cannot be known here',
  approval_required: 'granted, and a person has to approve it each time',
  nobody_to_ask: 'a person would have to approve it, and nobody can be asked',
  denied_explicitly: 'the deny list names it',
  grant_expired: 'only a grant that has expired covers it',
  command_not_granted: 'a command of the line is not granted',
  command_opaque: 'what a command would run cannot be known beforehand',
  self_protected: 'it would reach Stele itself, or what holds it in place',
  policy_unavailable: 'no allowlist was in force',
  mode_unresolved: 'the mode of the gate could not be confirmed',
  gate_error: 'an error of the gate itself',
}

export function codeText(code: string): string {
  return (Object.hasOwn(codeWords, code) ? codeWords[code] : undefined) ?? code
}
