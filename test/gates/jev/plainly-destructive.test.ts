// Holds the short list of plainly destructive calls: what is on it, what is not, and that no text makes it slow or throw.
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { isPlainlyDestructive } from '../../../src/gates/jev/plainly-destructive.js'
import { countedSteps } from '../../support/counted-steps.js'

const test = suite('plainly-destructive')

const destroys = (command: unknown): boolean => isPlainlyDestructive({ command })

test('compat W9: what destroys a machine, a home, a database or a history is known without asking anybody', () => {
  for (const command of [
    'rm -rf /',
    'rm -rf ~',
    'rm -r -f $HOME/',
    'sudo rm -rf /var/lib',
    'rm -rf *',
    'rm -rf .',
    'cd /tmp && rm -rf /home/bob',
    'find / -name x -delete',
    'mkfs.ext4 /dev/sda1',
    'dd if=/dev/zero of=/dev/sda bs=1M',
    'cat x > /dev/sda',
    'git push --force origin main',
    'git push origin +main',
    'git reset --hard HEAD~3',
    'git clean -fdx',
    'terraform destroy -auto-approve',
    'kubectl delete namespace prod',
    'psql -c "DROP TABLE users"',
    "mysql -e 'delete from users;'",
    'redis-cli FLUSHALL',
    'bash -c "rm -rf /etc"',
    'env A=b nohup rm -rf /opt',
    'chmod -R 777 /',
    'gh repo delete me/x --yes',
    ':(){ :|:& };:',
    'true; timeout 5 rm -rf ~/',
    '/bin/rm -rf /',
    ['rm', '-rf', '/'],
  ])
    assert.is(destroys(command), true, String(command))
})

test('what is done every day is not on the list', () => {
  for (const command of [
    'rm -rf build',
    'rm -rf node_modules dist',
    'rm a.txt',
    'rm -rf /tmp/desk/x',
    'git push origin main',
    'git push --force-with-lease',
    'git reset HEAD a.txt',
    'find . -name "*.pyc"',
    'echo "rm -rf /"',
    'grep -r "DROP TABLE" .',
    'psql -c "delete from users where id = 1"',
    'kubectl delete pod x',
    'docker system prune',
    'prune old-snapshots',
    'chmod -R u+w build',
    'terraform plan',
    'cat /dev/null',
    '',
    null,
    7,
  ])
    assert.is(destroys(command), false, String(command))
})

test('other members, and other shapes of arguments, hold no command', () => {
  for (const args of [null, [], 'rm -rf /', { path: 'rm -rf /' }, { content: 'rm -rf /' }])
    assert.is(isPlainlyDestructive(args), false)
  assert.is(isPlainlyDestructive({ script: 'set -e\nrm -rf /\n' }), true)
})

test('random text never throws', () => {
  fc.assert(
    fc.property(
      fc.string({
        unit: fc.constantFrom('rm ', '-rf ', '/', '"', "'", '\\', '$(', ')', ';', '&&', '|', '\n', 'sudo ', 'sh -c ', '~'),
        maxLength: 60,
      }),
      (text) => {
        destroys(text)
      },
    ),
    { seed: 7, numRuns: 1000 },
  )
})

test('reading a text costs what it is long', () => {
  for (const unit of [
    'rm -rf "',
    'sh -c "',
    ':() {',
    'delete from a ',
    'drop ',
    "' ",
    '\n"',
    "bash -c 'a ",
    'rm -rf / ; ',
    ':()        ',
  ]) {
    // Whether the last quote is closed makes a difference, so both are tried.
    for (const length of [65_536, 65_535, 65_520]) {
      const text = unit.repeat(Math.ceil(length / unit.length)).slice(0, length)
      const steps = countedSteps(() => destroys(text))
      assert.ok(steps <= length * 60, `${JSON.stringify(unit)}: ${steps} steps for ${length} characters`)
    }
  }
})

test.run()
