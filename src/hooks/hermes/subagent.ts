// What the host says of children that an agent sends out. Listened to; their sessions are linked where they speak themselves.
import { z } from 'zod'
import { hook } from '../hook.js'

export const subagentHooks = {
  subagent_start: hook({ extra: z.looseObject({}), observe: () => [] }),
  subagent_stop: hook({ extra: z.looseObject({}), observe: () => [] }),
}
