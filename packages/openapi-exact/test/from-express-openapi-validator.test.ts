import { expect, test } from '@jest/globals';
import express, { type ErrorRequestHandler, type Express } from 'express';
import { middleware } from 'express-openapi-validator';
import { createServer } from 'node:http';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { listen } from 'test-support/listen.ts';
import { readProjectFile } from 'test-support/readme.ts';
import type { Part } from '../src/bodies/part-readers.ts';
import type { ResponseValue } from '../src/response/respond.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import type { AnyHandlers } from '../src/server/options.ts';

type ValidatorOptions = Parameters<typeof middleware>[0];

/** All options of express-openapi-validator: another version with others does not compile. */
const OPTIONS: Record<keyof ValidatorOptions, true> = {
  ...{ apiSpec: true, validateApiSpec: true, validateResponses: true, validateRequests: true, validateSecurity: true },
  ...{ ignorePaths: true, ignoreUndocumented: true, securityHandlers: true, coerceTypes: true, useRequestUrl: true },
  ...{ unknownFormats: true, serDes: true, formats: true, ajvFormats: true, fileUploader: true, multerOpts: true },
  ...{ $refParser: true, operationHandlers: true, validateFormats: true },
};

// The application of express-openapi-validator's README: pets, and a photo of one.
const pet = {
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
};
const newPet = { type: 'object', required: ['name'], properties: { name: { type: 'string' } } };
const photo = { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } };
const stored = { type: 'object', required: ['bytes'], properties: { bytes: { type: 'integer' } } };
const content = (type: string, schema: object): object => ({ content: { [type]: { schema } } });
const responses = (status: number, schema: object): object => ({
  [status]: { description: 'Done.', ...content('application/json', schema) },
});
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
const contractDocument = documentText({
  openapi: '3.0.3',
  paths: {
    '/pets': {
      get: { operationId: 'listPets', responses: responses(200, { type: 'array', items: pet }) },
      post: {
        operationId: 'createPet',
        requestBody: { required: true, ...content('application/json', newPet) },
        responses: responses(201, pet),
      },
    },
    '/pets/{id}': { parameters: [id], get: { operationId: 'getPet', responses: responses(200, pet) } },
    '/pets/{id}/photos': {
      parameters: [id],
      post: {
        operationId: 'addPhoto',
        requestBody: { required: true, ...content('multipart/form-data', photo) },
        responses: responses(201, stored),
      },
    },
  },
});
const tom = { id: 1, name: 'Tom' };

/** The routes as they were, by operationId. */
const ROUTES: Readonly<Record<string, (app: Express) => void>> = {
  listPets: (app) => app.get('/pets', (_request, response) => void response.json([tom])),
  createPet: (app) =>
    app.post('/pets', (request, response) => {
      const { name } = request.body as { name: string };
      response.status(201).json({ id: 2, name });
    }),
  getPet: (app) =>
    app.get('/pets/:id', (request, response) => void response.json({ ...tom, id: Number(request.params.id) })),
  addPhoto: (app) =>
    app.post('/pets/:id/photos', (request, response) => {
      const [file] = request.files as Express.Multer.File[];
      response.status(201).json({ bytes: file?.buffer.length });
    }),
};

/** Adds express-openapi-validator and the routes that are not moved. */
function addRoutes(app: Express, apiSpec: string, handlers: AnyHandlers): void {
  app.use(express.json());
  app.use(middleware({ apiSpec, validateResponses: true }));
  for (const [name, add] of Object.entries(ROUTES)) if (!(name in handlers)) add(app);
  const answerFailure: ErrorRequestHandler = ({ status = 500 }: { status?: number }, _request, response, _next) => {
    response.status(status).json({});
  };
  app.use(answerFailure);
}

const moved: [string, AnyHandlers[string]][] = [
  ['listPets', (): ResponseValue => ({ status: 200, body: [tom] })],
  ['createPet', ({ body }: { body: { name: string } }): ResponseValue => ({ status: 201, body: { id: 2, ...body } })],
  ['getPet', ({ params }: { params: { id: number } }): ResponseValue => ({ status: 200, body: { ...tom, ...params } })],
  [
    'addPhoto',
    async ({ body }: { body: AsyncIterable<Part> }): Promise<ResponseValue> => {
      let bytes = 0;
      for await (const { body: file } of body)
        if (file !== undefined) for await (const chunk of file) bytes += (chunk as Uint8Array).length;
      return { status: 201, body: { bytes } };
    },
  ],
];

const json = (body: unknown): RequestInit => ({
  ...{ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) },
});
const form = (name: string): RequestInit => {
  const body = new FormData();
  body.append(name, new Blob(['a photo']), 'tom.png');
  return { method: 'POST', body };
};
const REQUESTS: [string, RequestInit, number, unknown][] = [
  ['/pets', {}, 200, [tom]],
  ['/pets', json({ name: 'Kim' }), 201, { id: 2, name: 'Kim' }],
  ['/pets', json({ name: 1 }), 400, undefined],
  ['/pets', { ...json('Kim'), headers: { 'Content-Type': 'text/plain' } }, 415, undefined],
  ['/pets', { method: 'DELETE' }, 405, undefined],
  ['/pets/7', {}, 200, { id: 7, name: 'Tom' }],
  ['/pets/seven', {}, 400, undefined],
  ['/pets/7/photos', form('file'), 201, { bytes: 7 }],
  ['/pets/7/photos', json({}), 415, undefined],
  ['/dogs', {}, 404, undefined],
];

test.each([0, 1, 2, 3, 4])('an application of four routes answers the same with %i of them moved', async (count) => {
  await withFiles({ 'openapi.yaml': contractDocument }, async (url) => {
    const app = express();
    const contract = await loadContract(url);
    const handlers = Object.fromEntries(moved.slice(0, count));
    app.use(await contractMiddleware({ contract, handlers, unhandled: 'next', onError: () => undefined }));
    // Nothing of express-openapi-validator is needed behind the last step.
    if (count < moved.length) addRoutes(app, url.pathname, handlers);
    const server = await listen(createServer(app));
    const answers = REQUESTS.map(async ([path, init, status]): Promise<unknown[]> => {
      const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
      const text = await response.text();
      const body: unknown = status < 400 ? JSON.parse(text) : undefined;
      return [path, response.status, body];
    });
    expect(await Promise.all(answers)).toEqual(REQUESTS.map(([path, , status, body]) => [path, status, body]));
    await server.close();
  });
});

test('the guide maps each option of express-openapi-validator', async () => {
  const guide = await readProjectFile('packages/openapi-exact/docs/from-express-openapi-validator.md');
  const rows = [...guide.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, names = '']) =>
    names.replaceAll('`', '').split(', '),
  );
  expect(rows).toEqual(expect.arrayContaining(Object.keys(OPTIONS)));
});
