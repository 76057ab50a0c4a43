/** fastify-openapi-glue and @fastify/bearer-auth as in their READMEs. */
import bearerAuth from '@fastify/bearer-auth';
import Fastify from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { openStore } from './store.mjs';
import { contract, port, token } from './settings.mjs';

const remove = openStore();
// docs/AJVstrictMode.md of fastify-openapi-glue: OpenAPI has keywords that JSON Schema lacks.
const fastify = Fastify({ ajv: { customOptions: { strict: false } } });
// The contract's Error object, by which Fastify serialises failures too.
fastify.setErrorHandler((error, request, reply) => {
  const status = error.statusCode ?? 500;
  reply.code(status).send({ error: status * 100, message: error.message });
});
fastify.register(bearerAuth, {
  keys: new Set([token]),
  errorResponse: (error) => ({ error: 40100, message: error.message }),
});
fastify.register(openapiGlue, {
  specification: contract,
  serviceHandlers: {
    async deletePlant(request, reply) {
      const deleted = remove(request.params.id);
      reply.code(deleted ? 204 : 404);
      return deleted ? undefined : { error: 40401, message: 'There is no such plant.' };
    },
  },
});
await fastify.listen({ port, host: '127.0.0.1' });
