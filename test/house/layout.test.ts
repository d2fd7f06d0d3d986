// Holds the tree to the floor plan: what must stand at the top, and no room that the plan does not know.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { projectRoot } from '../../scripts/project-tree.js'
import { rankOfRoom, roomBeside } from './import-law.js'

const rooms = [...Object.keys(rankOfRoom), roomBeside]

/** Beside the mirror of the rooms. */
const testFolders = [
  'support',
  'contracts',
  'faults',
  'simulation',
  'stories',
  'frozen',
  'corpora',
  'house',
  'fixtures',
  'plugins',
  'hermes',
  'bench',
]

test('row D3: package.json, ledger-schema.json, test, src/events, src/projections, src/hooks and src/cli are there', () => {
  for (const dir of ['src/events', 'src/projections', 'src/hooks', 'src/cli', 'test'])
    assert.ok(isFolder(dir), `${dir} is a folder`)
  for (const file of ['package.json', 'ledger-schema.json']) assert.ok(isFile(file), `${file} is a file`)
})

test('src holds only rooms of the plan', () => {
  const strange = readdirSync(join(projectRoot, 'src')).filter((name) => !rooms.includes(name))
  assert.equal(strange, [], `rooms of the plan: ${rooms.join(', ')}`)
})

test('test holds only the mirror of the rooms and the folders of the plan', () => {
  const strange = readdirSync(join(projectRoot, 'test')).filter((name) => !rooms.includes(name) && !testFolders.includes(name))
  assert.equal(strange, [], `folders of the plan: ${[...rooms, ...testFolders].join(', ')}`)
})

function isFolder(path: string): boolean {
  return statSync(join(projectRoot, path), { throwIfNoEntry: false })?.isDirectory() === true
}

function isFile(path: string): boolean {
  return statSync(join(projectRoot, path), { throwIfNoEntry: false })?.isFile() === true
}

test.run()
