// Facts of the Jev stage for histories made from a seed: whatever its schemas allow, also what the stage itself would never say.
import type { Random } from './seeded-random.js'

type Made = (
  index: number,
) => readonly [type: string, version: number, facts: Readonly<Record<string, unknown>>, words?: Record<string, unknown>]

const digest = 'd1'.repeat(32)
const stages = ['turn', 'shaping', 'risk', 'completion']
const triggers = ['destructive', 'uncertain', 'action_not_requested', 'incomplete_input', 'plainly_destructive']

export function randomJevEvents(random: Random): Made[] {
  const some = (facts: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => (random.chance(2) ? facts : {})
  const probability = (): number => random.pick([0, 1_000_000, 199_999, 200_000, 800_000, random.int(1_000_001)])
  const all = (...names: string[]): Record<string, number> => Object.fromEntries(names.map((name) => [name, probability()]))
  const judgedIn = (index: number): Readonly<Record<string, unknown>> => ({
    ...{ about: random.int(index + 1), mode: random.pick(['shadow', 'enforce']) },
    ...{ complete: !random.chance(4), truncated: false, redacted: random.chance(2) },
  })
  const answer = (): Readonly<Record<string, unknown>> => ({
    ...{ asked: random.pick(['jev-1.13.0', 'jev-latest']), latency: random.int(12_000) },
    ...some({ answered: random.pick(['jev-1.13.0', 'jev-1.14.0']) }),
    ...some({ tokens: { input: random.int(2000), output: random.int(50) } }),
  })
  const risk = (): Readonly<Record<string, unknown>> => ({
    ...some({
      answers: {
        ...all('action_requested', 'external_side_effect', 'destructive'),
        ...all('irreversible', 'exposes_secrets', 'confirmation_expected'),
      },
      confidence: probability(),
    }),
    ...{ ambiguous: random.chance(5), argues: false, destroys: random.chance(5), carries: false },
    thresholds: { approval: 800_000, uncertain: 650_000, ...some({ destructive: 500_000 }) },
    rules: { requestedExternal: 'ask', plainlyDestructive: 'always' },
  })
  const completion = (): Readonly<Record<string, unknown>> => ({
    ...some({
      answers: all('claims_complete', 'verification_evidence_present', 'inconsistent', 'needs_iteration'),
      confidence: probability(),
    }),
    ...{ confidenceOver: 'all', threshold: 850_000, attempt: random.int(3), changed: 1, observations: 0, failed: 0 },
  })
  const applied = (): Readonly<Record<string, unknown>> =>
    random.chance(2) ? { applied: true } : { applied: false, why: random.pick(['shadow', 'order_unsafe', 'turn_over']) }
  return [
    (index) => [
      'jev.classified',
      1,
      {
        ...{ ...judgedIn(index), ...answer(), intent: 'chat', complexity: 'trivial', sideEffects: 'low' },
        confidence: probability(),
        needs: all('needs_web', 'needs_browser', 'needs_terminal', 'needs_files', 'should_delegate'),
        conversation: { prior_turn_seen: false, unresolved_task: false, ongoing_tool_workflow: false },
      },
    ],
    (index) => [
      'jev.proposed',
      1,
      {
        ...{ stage: random.pick(['risk', 'risk', 'shaping']), ...judgedIn(index), ...answer(), ...applied() },
        ...{ proposal: random.pick(['approve', 'block', 'narrow']), triggers: triggers.filter(() => random.chance(2)) },
        ...{ tool: random.pick(['terminal', '__proto__']), arguments: digest, ...some({ risk: risk() }) },
      },
      { message: 'sure?' },
    ],
    (index) => [
      'jev.abstained',
      1,
      {
        ...{ stage: random.pick(stages), mode: 'shadow', why: random.pick(['low', 'unattended', 'constructor']) },
        ...some({ ...judgedIn(index), ...answer() }),
        ...some({ risk: risk() }),
        ...some({ completion: completion() }),
      },
    ],
    (index) => [
      'jev.failed',
      1,
      {
        ...{ stage: random.pick(stages), ...judgedIn(index), asked: 'jev-1.13.0', latency: random.int(12_000) },
        category: random.pick(['timeout', 'capacity', 'auth', 'budget_spent']),
      },
    ],
    (index) => [
      'jev.settled',
      1,
      {
        ...{ proposal: random.int(index + 1), ...some({ about: random.int(index + 1) }) },
        ...{ fate: random.pick(['consumed', 'expired', 'mismatched', 'ended']), applied: random.chance(2) },
        ...{ ...some({ why: random.pick(['unattended', 'expired']) }), age: random.int(10_000) },
      },
      { message: 'sure?' },
    ],
    (index) => [
      'verification.observed',
      1,
      {
        ...{ about: random.int(index + 1), runner: random.pick(['pytest', 'toString']), generation: 0 },
        ...{ success: random.pick([true, false, null]), exitCode: null, complete: true, truncated: false, redacted: false },
      },
      { command: 'pt', summary: '1 ok' },
    ],
    (index) => ['verification.invalidated', 1, { about: random.int(index + 1), observations: 1, generation: 1 }],
    (index) => [
      'verification.proposed',
      1,
      { ...judgedIn(index), ...answer(), applied: random.chance(2), judged: completion() },
      { message: 'more' },
    ],
  ]
}
