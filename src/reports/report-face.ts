// The faces of a report, by the format that is asked for.
import type { Report } from './report.js'

export interface FaceOptions {
  /** Columns of the terminal; only the text face asks. */
  readonly width: number
}

/** Each is loaded when it is first asked for. */
export const reportFaces = {
  text: async (report: Report, { width }: FaceOptions) => (await import('./text-report.js')).textReport(report, width),
  json: async (report: Report) => (await import('./json-report.js')).jsonReport(report),
  md: async (report: Report) => (await import('./markdown-report.js')).markdownReport(report),
  html: async (report: Report) => (await import('./html-report.js')).htmlReport(report),
} as const satisfies Readonly<Record<string, (report: Report, options: FaceOptions) => Promise<string>>>

export type ReportFormat = keyof typeof reportFaces
