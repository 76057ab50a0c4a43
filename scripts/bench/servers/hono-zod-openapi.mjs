/** hono and @hono/zod-openapi on @hono/node-server as in their READMEs. */
import { serve } from '@hono/node-server';
import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { bearerAuth } from 'hono/bearer-auth';
import { openStore } from './one-by-one.mjs';
import { port, token } from './settings.mjs';

const remove = openStore();
const app = new OpenAPIHono();
app.openAPIRegistry.registerComponent('securitySchemes', 'bearerAuth', { type: 'http', scheme: 'bearer' });
const failure = {
  description: 'A failure',
  content: { 'application/json': { schema: z.object({ error: z.number(), message: z.string() }).openapi('Error') } },
};
const route = createRoute({
  method: 'delete',
  path: '/plants/{id}',
  security: [{ bearerAuth: [] }],
  middleware: [bearerAuth({ token })],
  request: {
    params: z.object({
      id: z.coerce
        .number()
        .int()
        .openapi({ param: { name: 'id', in: 'path' }, format: 'int64' }),
    }),
  },
  responses: { 204: { description: 'The plant is deleted.' }, 400: failure, 401: failure, 404: failure },
});
app.openapi(route, (c) => {
  const { id } = c.req.valid('param');
  return remove(id) ? c.body(null, 204) : c.json({ error: 40401, message: 'There is no such plant.' }, 404);
});
serve({ fetch: app.fetch, port, hostname: '127.0.0.1' });
