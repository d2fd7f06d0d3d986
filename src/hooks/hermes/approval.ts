// What the host says around a person's approval. Listened to; it becomes no event yet.
import { z } from 'zod'
import { hook } from '../hook.js'

export const approvalHooks = {
  pre_approval_request: hook({ extra: z.looseObject({}), observe: () => [] }),
  post_approval_response: hook({ extra: z.looseObject({}), observe: () => [] }),
}
