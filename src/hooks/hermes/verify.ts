// What the host says before it would let an agent finish. It becomes no event of its own; the semantic stage is asked about it.
import { z } from 'zod'
import { hook } from '../hook.js'

export const verifyHooks = {
  pre_verify: hook({ extra: z.looseObject({}), comesAgain: true, observe: () => [] }),
}
