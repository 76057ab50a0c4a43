import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { loadContract } from '../../src/contract/document/load.ts';
import { mountContract } from '../../src/contract/mount.ts';
import { ContractError } from '../../src/contract/document/refusal.ts';
import { OperatorError } from '../../src/errors.ts';
import { contract as whole, temporaryFolder } from '../support/service.ts';

const OPENAPI = await readFile(new URL('../../openapi.yaml', import.meta.url), 'utf8');
/** The contract with one operation, whatever else it gets. */
const contract = { ...whole, operations: whole.operations.filter(({ id }) => id === 'deletePlant') };
const handlers = { deletePlant: () => ({ status: 204 }) };
const verifiers = { bearerAuth: () => Promise.resolve({ name: 'anybody' }) };

/** The one line with which a start fails. */
async function failure(start: () => unknown): Promise<string> {
  const thrown: unknown = await Promise.resolve()
    .then(start)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
  expect(thrown).toBeInstanceOf(OperatorError);
  // The assertion above has shown it.
  const { message } = thrown as OperatorError;
  expect(message).not.toContain('\n');
  return message;
}

describe('the service does not start', () => {
  test('without a handler for an operation', async () => {
    expect(await failure(() => mountContract({ contract, handlers: {}, verifiers }))).toBe(
      'The operation deletePlant (DELETE /plants/{id}) has no handler.',
    );
  });

  test('with a handler without an operation', async () => {
    const more = { ...handlers, waterPlant: handlers.deletePlant };
    expect(await failure(() => mountContract({ contract, handlers: more, verifiers }))).toBe(
      "The handler 'waterPlant' belongs to no operation of the contract.",
    );
  });

  test('without a verifier for a security scheme: it never fails open', async () => {
    expect(await failure(() => mountContract({ contract, handlers, verifiers: {} }))).toBe(
      "The security scheme 'bearerAuth' of the contract has no verifier: add one to the verifiers that createApp is given.",
    );
  });

  test('without a verifier for a security scheme that no operation asks for yet', async () => {
    const { document } = contract;
    const securitySchemes = { ...document.components?.securitySchemes, keyAuth: { type: 'apiKey', name: 'key' } };
    const more = { ...contract, document: { ...document, components: { ...document.components, securitySchemes } } };
    expect(await failure(() => mountContract({ contract: more, handlers, verifiers }))).toBe(
      "The security scheme 'keyAuth' of the contract has no verifier: add one to the verifiers that createApp is given.",
    );
  });

  test.each(['toString', 'constructor', '__proto__'])(
    'with a security scheme named %s, which every object inherits',
    async (name) => {
      const operations = contract.operations.map((operation) => ({
        ...operation,
        security: [Object.fromEntries([[name, []]])],
      }));
      expect(await failure(() => mountContract({ contract: { ...contract, operations }, handlers, verifiers }))).toBe(
        `The security scheme '${name}' of the contract has no verifier: add one to the verifiers that createApp is given.`,
      );
    },
  );

  test('with an inherited property instead of a handler', async () => {
    const operations = contract.operations.map((operation) => ({ ...operation, id: 'toString' }));
    expect(await failure(() => mountContract({ contract: { ...contract, operations }, handlers: {}, verifiers }))).toBe(
      'The operation toString (DELETE /plants/{id}) has no handler.',
    );
  });
});

describe('a contract is refused with file, line and column', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await temporaryFolder();
  });
  afterEach(() => rm(folder, { recursive: true }));

  test.each([
    ['that is no YAML', (yaml: string) => yaml.replace('info:', 'info: [}'), /:2:\d+: error: the YAML does not parse/],
    ['that is empty', () => '', /:1:1: error: a contract must be an object/],
    [
      'of another version',
      (yaml: string) => yaml.replace('3.1.0', '2.0'),
      /:1:1: error: openapi must be a version 3\.0\.x or 3\.1\.x, .* not 2/,
    ],
    ['without paths', (yaml: string) => yaml.replace('\npaths:', '\nx-paths:'), /:1:1: error: paths must be an object/],
    [
      'with a reference to nothing',
      (yaml: string) => yaml.replace('responses/BadRequest', 'responses/Nothing'),
      /:\d+:11: error: the reference #\/components\/responses\/Nothing leads nowhere/,
    ],
    [
      'with an impossible status',
      (yaml: string) => yaml.replace("'204':", "'99':"),
      /:\d+:9: error: a status .* not '99'/,
    ],
    [
      'with a path parameter of another name',
      (yaml: string) => yaml.replace('/plants/{id}:', '/plants/{name}:'),
      /:\d+:\d+: error: the parameter 'id' is not part of the path \/plants\/\{name\}, which has \{name\}/,
    ],
    [
      'with an unknown security scheme',
      (yaml: string) => yaml.replace('- bearerAuth: []', '- keyAuth: []'),
      /:\d+:5: error: .* has no 'keyAuth'/,
    ],
    [
      'with a type that is none',
      (yaml: string) => yaml.replace('type: integer', 'type: integr'),
      /:\d+:\d+: error: "integr" is not a type/,
    ],
    [
      'with a server that is no URL',
      (yaml: string) => yaml.replace('http://127.0.0.1:3000', 'http://:99999'),
      /:\d+:5: error: http:\/\/:99999 is not a URL/,
    ],
    [
      'with a parameter in no place',
      (yaml: string) => yaml.replace('in: path', 'in: body'),
      /:\d+:7: error: .* must be in path, query/,
    ],
  ])('%s', async (_name, change, expected) => {
    const file = join(folder, 'openapi.yaml');
    const changed = change(OPENAPI);
    expect(changed).not.toBe(OPENAPI);
    await writeFile(file, changed);
    const thrown: unknown = await loadContract(pathToFileURL(file)).catch((error: unknown) => error);
    expect(thrown).toBeInstanceOf(ContractError);
    // The assertion above has shown it.
    const [first = ''] = (thrown as ContractError).lines;
    expect(first).toContain(`${file}:`);
    expect(first).toMatch(expected);
  });

  test('that is not there', async () => {
    expect(await failure(() => loadContract(pathToFileURL(join(folder, 'none.yaml'))))).toContain('none.yaml');
  });
});
