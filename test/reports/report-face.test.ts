// Holds the formats to their faces.
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reportFaces } from '../../src/reports/report-face.js'
import { reportOfText } from '../support/report-views.js'

const test = suite('report-face')

test('each format begins as such a file does and ends with a line feed', async () => {
  const begins = { text: 'plain\n=====\n', json: '{\n  "report": "any",', md: '# plain\n', html: '<!doctype html>\n' }
  for (const [format, face] of Object.entries(reportFaces)) {
    const said = await face(reportOfText('plain'), { width: 80 })
    assert.ok(said.startsWith(begins[format as keyof typeof begins]), format)
    assert.ok(said.endsWith('\n') && !said.endsWith('\n\n'), format)
  }
})

test.run()
