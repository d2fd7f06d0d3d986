// One line about something in another plugin's settings that sets nothing here.
import type { ConfigNote } from '../service/config-yaml.js'

export function configNoteLine({ name, place, line, what }: ConfigNote): string {
  const where = `${name} in ${place}, line ${line}`
  if (what === 'unknown_key') return `${where}, is no setting that Stele knows, and sets nothing.`
  return `${where}, does not say enabled: true. That plugin is on without it; here nothing is asked until it says so.`
}
