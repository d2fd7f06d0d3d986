// What a call would reach: its paths and commands, as they were worked out before it was judged.
import { z } from 'zod'
import { countSchema, event, indexSchema, nameSchema } from './event-definition.js'

const place = {
  /** Absolute by its spelling; null where that cannot be said. */
  typed: z.string().nullable(),
  /** Where it led at that moment; null where that could not be said. */
  resolved: z.string().nullable(),
  problem: z.enum(['dangling', 'looping', 'unreadable', 'unresolved']).optional(),
  /** Its volume does not tell upper from lower case. */
  foldsCase: z.literal(true).optional(),
}

/** Of an operand that can be meant as a path. */
const placeIfAny = { ...place, typed: place.typed.optional(), resolved: place.resolved.optional() }

const opacity = {
  opaque: z.enum(['variable', 'substitution', 'expansion', 'glob']).optional(),
  variable: z.string().optional(),
}

export const accessEvents = {
  'access.proposed': event({
    version: 1,
    status: 'released',
    summary: 'A call, worked out into the paths and commands that it would reach.',
    facts: z.strictObject({
      /** Index of the `tool.requested`. */
      call: indexSchema,
      tool: nameSchema,
      /** Empty where the host names none. */
      skill: nameSchema,
      /** Who asks, and then who sent them, each by their surface. */
      lineage: z.array(z.strictObject({ platform: nameSchema, job: nameSchema.optional(), subagent: z.boolean() })),
      attended: z.enum(['attended', 'unattended', 'unknown']),
      /** Whether the host can be asked for an approval that is really given by a person. */
      asks: z.enum(['yes', 'not_last', 'approvals_off', 'unknown_host']),
      touches: countSchema,
      writes: countSchema,
      commands: countSchema,
      /** Why the call cannot be read; absent where it can. */
      unread: z.enum(['arguments', 'unbalanced', 'too_long', 'too_deep', 'too_many', 'syntax']).optional(),
      /** The tool runs on another machine than the one that was looked at. */
      remote: z.literal(true).optional(),
      /** Asked by `stele doctor`. */
      probe: z.literal(true).optional(),
    }),
    words: z.strictObject({
      touches: z.array(z.strictObject({ asked: z.string(), access: z.enum(['read', 'write']), tree: z.boolean(), ...place })),
      /** What would run, in the order of the command line. */
      programs: z.array(z.strictObject({ text: z.string(), ...opacity })),
      /** What it is handed: `of` is the place of its program, from 0. */
      operands: z.array(z.strictObject({ of: countSchema, text: z.string(), ...opacity, ...placeIfAny })),
    }),
    ids: ['programs.text', 'programs.variable', 'operands.variable'],
    paths: ['touches.asked', 'touches.typed', 'touches.resolved'],
    describe: ({ tool, touches, writes, commands, unread }, words) => {
      if (unread !== undefined) return `${tool} would reach what cannot be read (${unread})`
      const paths = `${touches} ${touches === 1 ? 'path' : 'paths'}${writes === 0 ? '' : `, ${writes} to write`}`
      const runs = commands === 0 ? '' : `; ${commands} ${commands === 1 ? 'command' : 'commands'}`
      const first = words.touches?.[0]?.asked
      return `${tool} would reach ${paths}${first === undefined ? '' : ` (${first}${touches > 1 ? ' …' : ''})`}${runs}`
    },
  }),
}
