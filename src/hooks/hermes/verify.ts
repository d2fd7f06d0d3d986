// What the host says before it would let an agent finish. Listened to; it becomes no event yet.
import { z } from 'zod'
import { hook } from '../hook.js'

export const verifyHooks = {
  pre_verify: hook({ extra: z.looseObject({}), observe: () => [] }),
}
