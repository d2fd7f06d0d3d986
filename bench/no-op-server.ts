// A service's HTTP and nothing behind it: what a POST over the socket costs by itself.
import { HttpServer } from '../src/service/http-server.js'

const [socket = ''] = process.argv.slice(2)
const server = new HttpServer({
  log: { write: () => {}, fail: () => {} },
  token: '0'.repeat(64),
  heard: () => {},
  routes: (app) => {
    app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', async (_: unknown, body: AsyncIterable<Buffer>) => {
        const kept: Buffer[] = []
        for await (const chunk of body) kept.push(chunk)
        return Buffer.concat(kept)
      })
      scope.post('/v1/hooks', async (_, reply) => reply.type('application/json').send('{}'))
    })
  },
})
await server.ready()
await server.listenOnSocket('socket', socket)
process.send?.('ready')
