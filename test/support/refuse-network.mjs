// Preloaded into every process of a run (NODE_OPTIONS): whatever would leave the machine is refused and written down, in the file that
// STELE_TEST_NETWORK_LOG names. Loopback and Unix sockets go on working.
import childProcess from 'node:child_process'
import dgram from 'node:dgram'
import dns from 'node:dns'
import { appendFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import net from 'node:net'
import { basename } from 'node:path'

const log = process.env['STELE_TEST_NETWORK_LOG'] ?? ''

function note(what, detail) {
  appendFileSync(log, `${JSON.stringify({ what, detail })}\n`)
}

function isOwn(host) {
  return host === undefined || host === null || host === '' || /^(localhost|127(\.[0-9]+){3}|\[?::1\]?)$/.test(String(host))
}

function refuse(what, detail) {
  note(what, String(detail))
  throw new Error(`a test refuses the network: ${what} ${detail}`)
}

/** Puts a check before a function of an object. */
function guard(owner, name, check) {
  const real = owner[name]
  if (typeof real !== 'function') return
  owner[name] = function guarded(...args) {
    check(args)
    return Reflect.apply(real, this, args)
  }
}

function hostOf([first, second]) {
  // Within Node itself the arguments come as one list.
  if (Array.isArray(first)) return hostOf(first)
  if (typeof first === 'object' && first !== null) return first.path === undefined ? first.host : undefined
  const isPath = typeof first === 'string' && !/^[0-9]+$/.test(first)
  return isPath || typeof second === 'function' ? undefined : second
}

guard(net.Socket.prototype, 'connect', (args) => {
  const host = hostOf(args)
  if (!isOwn(host)) refuse('connect', host)
})
guard(net.Server.prototype, 'listen', (args) => {
  const [first] = args
  const isPath = typeof first === 'string' || (typeof first === 'object' && first !== null && typeof first.path === 'string')
  const host = hostOf(args)
  // Without a host Node listens on every address.
  if (!isPath && (host === undefined || !isOwn(host))) refuse('listen', host ?? 'every address')
})
for (const owner of [dns, dns.promises]) {
  for (const name of Object.keys(owner).filter((one) => /^(lookup|resolve|reverse)/.test(one))) {
    guard(owner, name, ([host]) => {
      if (!isOwn(host)) refuse(`dns.${name}`, host)
    })
  }
}
for (const name of ['send', 'connect', 'bind']) guard(dgram.Socket.prototype, name, () => refuse(`dgram.${name}`, 'a datagram'))
guard(globalThis, 'fetch', ([target]) => {
  const { hostname } = new URL(typeof target === 'string' || target instanceof URL ? target : target.url)
  if (!isOwn(hostname)) refuse('fetch', hostname)
})
for (const name of ['spawn', 'spawnSync', 'execFile', 'execFileSync']) {
  guard(childProcess, name, ([file]) => {
    if (file !== process.execPath) note('started', basename(String(file)))
  })
}
syncBuiltinESMExports()
note(
  'loaded',
  process.argv
    .slice(1, 3)
    .map((word) => basename(word))
    .join(' '),
)
