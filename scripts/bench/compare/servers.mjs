/** The contract of this folder, served by each library as its documentation says. */
import exegesis from 'exegesis-express';
import express from 'express';
import { middleware } from 'express-openapi-validator';
import Fastify from 'fastify';
import openapiGlue from 'fastify-openapi-glue';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { OpenAPIBackend } from 'openapi-backend';

const CONTRACT = new URL('openapi.yaml', import.meta.url);
const PATH = fileURLToPath(CONTRACT);
const HEADERS = { 'X-Count': '1' };

/** Responses that the contract does not declare: status, body and headers. */
const WRONG = {
  status: [299, { id: '1' }, HEADERS],
  body: [200, {}, HEADERS],
  header: [200, { id: '1' }, { 'X-Count': 'many' }],
};

const failure = (error, _request, response, _next) => response.status(error.status ?? 500).json(error.message);
const answer = (response, [status, body, headers]) => response.status(status).set(headers).json(body);
const thing = (id) => [200, { id: String(id) }, HEADERS];

/** Each returns a server that is not listening yet. */
export const SERVERS = {
  'openapi-exact': async () => {
    const { contractMiddleware, loadContract } = await import('openapi-exact');
    const value = ([status, body, headers]) => ({ status, body, headers });
    const handlers = {
      getThing: ({ params }) => value(thing(params.id)),
      addThing: ({ body }) => value(thing(body.id)),
      getWrong: ({ params }) => value(WRONG[params.what]),
    };
    const onError = () => undefined;
    const contract = await loadContract(CONTRACT);
    return createServer(express().use(await contractMiddleware({ contract, handlers, onError })));
  },

  'express-openapi-validator': () => {
    const app = express();
    app.use(express.json(), middleware({ apiSpec: PATH, validateResponses: true }));
    app.get('/things/:id', ({ params }, response) => answer(response, thing(params.id)));
    app.post('/things', ({ body }, response) => answer(response, thing(body.id)));
    app.get('/wrong/:what', ({ params }, response) => answer(response, WRONG[params.what]));
    return createServer(app.use(failure));
  },

  'openapi-backend': async () => {
    const api = new OpenAPIBackend({
      definition: PATH,
      coerceTypes: true,
      handlers: {
        getThing: ({ request }, _, response) => answer(response, thing(request.params.id)),
        addThing: ({ request }, _, response) => answer(response, thing(request.requestBody.id)),
        getWrong: ({ request }, _, response) => answer(response, WRONG[request.params.what]),
        validationFail: (_context, _, response) => response.status(400).end(),
      },
    });
    await api.init();
    const app = express().use(express.json());
    app.use((request, response) => {
      const { method, path, query, headers, body } = request;
      return api.handleRequest({ method, path, query, headers, body }, request, response);
    });
    return createServer(app.use(failure));
  },

  'fastify-openapi-glue': async () => {
    const reply = (to, [status, body, headers]) => to.code(status).headers(headers).send(body);
    const fastify = Fastify({ ajv: { customOptions: { strict: false } } });
    fastify.register(openapiGlue, {
      specification: PATH,
      serviceHandlers: {
        getThing: async ({ params }, to) => reply(to, thing(params.id)),
        addThing: async ({ body }, to) => reply(to, thing(body.id)),
        getWrong: async ({ params }, to) => reply(to, WRONG[params.what]),
      },
    });
    await fastify.ready();
    return fastify.server;
  },

  'exegesis-express': async () => {
    const reply = ({ res }, [status, body, headers]) => {
      for (const [name, value] of Object.entries(headers)) res.set(name, value);
      return res.status(status).json(body);
    };
    const things = {
      getThing: (context) => reply(context, thing(context.params.path.id)),
      addThing: (context) => reply(context, thing(context.requestBody.id)),
      getWrong: (context) => reply(context, WRONG[context.params.path.what]),
    };
    const onResponseValidationError = ({ errors: [{ message }] }) => {
      throw Object.assign(new Error(message), { status: 500 });
    };
    const options = { controllers: { things }, validateDefaultResponses: true, onResponseValidationError };
    return createServer(
      express()
        .use(await exegesis.middleware(PATH, options))
        .use(failure),
    );
  },
};
