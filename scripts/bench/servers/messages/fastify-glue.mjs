/** fastify-openapi-glue, with its security handlers, and @fastify/formbody, as in their READMEs. */
import formbody from '@fastify/formbody';
import Fastify from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { fileURLToPath } from 'node:url';
import { port, token } from '../settings.mjs';
import { PLANTS } from './plants.mjs';

// docs/AJVstrictMode.md of fastify-openapi-glue: OpenAPI has keywords that JSON Schema lacks.
const fastify = Fastify({ ajv: { customOptions: { strict: false } } });
fastify.register(formbody);
fastify.register(openapiGlue, {
  specification: fileURLToPath(new URL('../../messages/openapi.yaml', import.meta.url)),
  serviceHandlers: {
    createOrder: async ({ body }) => body,
    listPlants: async () => ({ items: PLANTS }),
    deletePlant: async (_request, reply) => {
      reply.code(204);
    },
    searchPlants: async (_request, reply) => {
      reply.code(204);
    },
    sendMessage: async (_request, reply) => {
      reply.code(204);
    },
  },
  securityHandlers: {
    bearerAuth: async ({ headers }) => {
      if (headers.authorization !== `Bearer ${token}`) throw new Error('unknown token');
    },
  },
});
await fastify.listen({ port, host: '127.0.0.1' });
