import { expect, test } from '@jest/globals';
import express, { Router, type ErrorRequestHandler, type Express } from 'express';
import { middleware } from 'express-openapi-validator';
import { execFile } from 'node:child_process';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { contractTypes } from 'openapi-exact-cli';
import { documentText, withFiles } from 'test-support/contract-files.ts';
import { listen } from 'test-support/listen.ts';
import { codeBlocks, readProjectFile } from 'test-support/readme.ts';
import ts from 'typescript';
import { loadContract } from '../src/server/load-contract.ts';
import { contractMiddleware } from '../src/server/middleware.ts';
import type { AnyHandlers, MiddlewareOptions } from '../src/server/options.ts';

const GUIDE = 'packages/openapi-exact/docs/from-express-openapi-validator.md';
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

type ValidatorOptions = Parameters<typeof middleware>[0];

/** All options of express-openapi-validator: another version with others does not compile. */
const OPTIONS: Record<keyof ValidatorOptions, true> = {
  ...{ apiSpec: true, validateApiSpec: true, validateResponses: true, validateRequests: true, validateSecurity: true },
  ...{ ignorePaths: true, ignoreUndocumented: true, securityHandlers: true, coerceTypes: true, useRequestUrl: true },
  ...{ unknownFormats: true, serDes: true, formats: true, ajvFormats: true, fileUploader: true, multerOpts: true },
  ...{ $refParser: true, operationHandlers: true, validateFormats: true },
};

/** The options within others. */
type Within<Option> = Record<keyof Extract<Option, object>, true>;
const REQUESTS_WITHIN: Within<ValidatorOptions['validateRequests']> = {
  ...{ allErrors: true, allowUnknownQueryParameters: true, coerceTypes: true, discriminator: true },
  removeAdditional: true,
};
const RESPONSES_WITHIN: Within<ValidatorOptions['validateResponses']> = {
  ...{ allErrors: true, removeAdditional: true, coerceTypes: true, onError: true },
};
const SECURITY_WITHIN: Within<ValidatorOptions['validateSecurity']> = { handlers: true };

// The contract of express-openapi-validator's example: pets, and a photo of one.
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

/** The modules of the guide. */
const [APP = '', ROUTES = '', HANDLERS = ''] = (await codeBlocks(GUIDE)).map(({ code }) => code);

/** What a module of the guide makes, in JavaScript without its imports, which are parameters. */
function evaluate(module: string, imports: Readonly<Record<string, unknown>>, made: string): Promise<unknown> {
  const { outputText } = ts.transpileModule(module, { compilerOptions: { target: ts.ScriptTarget.ES2022 } });
  const body = outputText.replaceAll(/^import .*$/gm, '').replaceAll(/^export /gm, '');
  // The guide is a text of this project.
  const AsyncFunction = (async () => {}).constructor as new (...args: string[]) => (...args: unknown[]) => unknown;
  const run = new AsyncFunction(...Object.keys(imports), `${body}\nreturn ${made};`);
  return Promise.resolve(run(...Object.values(imports)));
}

/** The application of the guide. @param count how many of its routes are moved to handlers. */
async function application(apiSpec: string, count: number): Promise<Express> {
  const routes = await evaluate(ROUTES, { Router }, 'routes');
  const all = (await evaluate(HANDLERS, {}, 'handlers')) as AnyHandlers;
  const handlers = Object.fromEntries(Object.entries(all).slice(0, count));
  // Nothing of express-openapi-validator is needed behind the last step.
  const isLast = count === Object.keys(all).length;
  const module = APP.replaceAll("'openapi.yaml'", JSON.stringify(apiSpec));
  const used = isLast ? module.replace(/app\.use\(OpenApi.*/, '').replace('app.use(routes);', '') : module;
  const quiet = (options: MiddlewareOptions): ReturnType<typeof contractMiddleware> =>
    contractMiddleware({ ...options, onError: () => undefined });
  const OpenApiValidator = { middleware };
  const imports = { express, OpenApiValidator, contractMiddleware: quiet, loadContract, handlers, routes };
  // Safe: the guide makes an application.
  const app = (await evaluate(used, imports, 'app')) as Express;
  const answerFailure: ErrorRequestHandler = ({ status = 500 }: { status?: number }, _request, response, _next) => {
    response.status(status).json({});
  };
  return app.use(answerFailure);
}

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

test.each([0, 1, 2, 3, 4])(
  'the application of the guide answers the same with %i of its routes moved',
  async (count) => {
    await withFiles({ 'openapi.yaml': contractDocument }, async (url) => {
      const server = await listen(createServer(await application(url.pathname, count)));
      const answers = REQUESTS.map(async ([path, init, status]): Promise<unknown[]> => {
        const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init);
        const text = await response.text();
        const body: unknown = status < 400 ? JSON.parse(text) : undefined;
        return [path, response.status, body];
      });
      expect(await Promise.all(answers)).toEqual(REQUESTS.map(([path, , status, body]) => [path, status, body]));
      await server.close();
    });
  },
);

test('the modules of the guide compile, with the types of their contract', async () => {
  await withFiles({ 'openapi.yaml': contractDocument }, async (url) => {
    const folder = fileURLToPath(new URL('.', url));
    const file = (name: string): string => join(folder, name);
    await mkdir(file('generated'));
    await writeFile(file('generated/openapi.d.ts'), await contractTypes(await loadContract(url)));
    await symlink(join(ROOT, 'node_modules'), file('node_modules'));
    await writeFile(file('package.json'), '{ "type": "module" }');
    const paths = { 'openapi-exact': [join(ROOT, 'packages/openapi-exact/src/index.ts')] };
    const compilerOptions = { types: ['node', 'multer'], paths };
    await writeFile(
      file('tsconfig.json'),
      JSON.stringify({ extends: join(ROOT, 'tsconfig.json'), compilerOptions, include: ['*.ts'] }),
    );
    await writeFile(file('app.ts'), APP);
    await writeFile(file('routes.ts'), ROUTES);
    await writeFile(file('handlers.ts'), HANDLERS);
    const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const compile = promisify(execFile)(process.execPath, [compiler, '--project', folder]);
    // The compiler says on standard output what is wrong.
    expect(await compile.catch((error: unknown) => error)).toMatchObject({ stdout: '' });
  });
});

test('the guide maps each option of express-openapi-validator, and each option within one', async () => {
  const guide = await readProjectFile(GUIDE);
  const [, options = ''] = guide.split('## Options');
  const named = [...options.matchAll(/^\| (.*?) \|(.*)\|$/gm)].flatMap(([row]) =>
    [...row.matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const all = [OPTIONS, REQUESTS_WITHIN, RESPONSES_WITHIN, SECURITY_WITHIN].flatMap(Object.keys);
  expect(all.filter((name) => !named.includes(name))).toEqual([]);
});
