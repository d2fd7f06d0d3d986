// The description of the routes, made from the routes themselves by a second set of them that nobody listens to: it is asked for seldom,
// and what makes it would otherwise stand in the memory of every service.
import Fastify, { type FastifyInstance } from 'fastify'

export async function openApiOf(addRoutes: (app: FastifyInstance) => void, version: string): Promise<unknown> {
  const [{ default: swagger }, { jsonSchemaTransform, serializerCompiler, validatorCompiler }] = await Promise.all([
    import('@fastify/swagger'),
    import('fastify-type-provider-zod'),
  ])
  const app = Fastify()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Stele',
        description:
          'What an AI agent was told, claimed and was allowed to do. Every entry is chained, signed and can be proved.',
        version,
      },
      components: {
        securitySchemes: { token: { type: 'http', scheme: 'bearer', description: 'On loopback; see service.json.' } },
      },
      security: [{ token: [] }],
    },
    transform: jsonSchemaTransform,
  })
  await app.register((scope, _, done) => {
    addRoutes(scope)
    done()
  })
  await app.ready()
  const description = app.swagger()
  await app.close()
  return description
}
