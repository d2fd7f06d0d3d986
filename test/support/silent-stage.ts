// A semantic stage that is off.
import { noDirective } from '../../src/hooks/directive.js'
import type { JevStage } from '../../src/hooks/jev/jev-stage.js'

export const silentStage: JevStage = {
  wants: () => [],
  inTurn: () => ({ events: [], directive: undefined }),
  after: async () => noDirective,
  telemetry: () => undefined,
}
