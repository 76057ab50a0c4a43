import { expect, test } from '@jest/globals';
import { contractMiddleware } from '../src/server/middleware.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { ConfigurationError } from '../src/errors/errors.ts';
import { withFiles } from 'test-support/contract-files.ts';

const CONTRACT = `
openapi: 3.1.0
info: { title: Misuse, version: 1.0.0 }
components: { securitySchemes: { bearerAuth: { type: http, scheme: bearer } } }
paths:
  /todos: { get: { operationId: listTodos, responses: { '204': { description: Done. } } } }
`;
const contract = await withFiles({ 'openapi.yaml': CONTRACT }, (file) => loadContract(file));
const handlers = { listTodos: () => ({ status: 204 }) };
const verifiers = { bearerAuth: () => Promise.resolve(undefined) };
const options = { contract, handlers, verifiers };

/** Options as JavaScript may give them, and what the message names: the mistake and the way out. */
const MISUSES: readonly (readonly [given: unknown, ...named: string[]])[] = [
  [undefined, 'contractMiddleware({ contract, handlers, verifiers })'],
  [{}, "'contract'", 'loadContract'],
  [{ ...options, contract: 'openapi.yaml' }, "loadContract(new URL('openapi.yaml', import.meta.url))"],
  [{ ...options, contract: { openapi: '3.1.0' } }, "'contract'", 'an object'],
  [{ ...options, contract: Promise.resolve(contract) }, "'contract'", 'await'],
  [{ contract, verifiers }, "'handlers'", 'undefined'],
  [{ contract, handler: handlers }, "'handler'", 'Did you mean handlers?'],
  [{ ...options, verifer: {} }, "'verifer'", 'Did you mean verifiers?'],
  [{ ...options, logger: {} }, "'logger'", 'contract, handlers, verifiers,'],
  [{ ...options, handlers: {} }, 'listTodos (GET /todos)'],
  [{ ...options, handlers: { listTodos: undefined } }, 'listTodos (GET /todos)'],
  [{ ...options, unhandled: 'ignore' }, "'unhandled'", "'refuse', 'next' or 'notImplemented'"],
  [{ ...options, handlers: { listTodos: 'x' } }, 'listTodos', "'x'"],
  [{ ...options, handlers: { ...handlers, other: () => ({}) } }, "'other'"],
  [{ ...options, handlers: { listTodo: () => ({}) } }, "'listTodo'", 'Did you mean listTodos?'],
  [{ ...options, checks: { other: () => ({}) } }, "'other'"],
  [{ ...options, checks: { listTodos: 1 } }, 'listTodos', 'not 1'],
  [{ contract, handlers }, "'bearerAuth'"],
  [{ ...options, verifiers: { bearerAuth: true } }, "'bearerAuth'", 'not true'],
  [{ ...options, verifiers: { ...verifiers, apiKey: () => undefined } }, "'apiKey'"],
  [{ ...options, timeout: '5s' }, "'timeout'", 'milliseconds', "'5s'"],
  [{ ...options, timeout: NaN }, "'timeout'", 'NaN'],
  [{ ...options, timeout: () => -1 }, 'listTodos', 'milliseconds', '-1'],
  [{ ...options, bodyLimits: { json: -1 } }, "'json'", 'bodyLimits', '-1'],
  [{ ...options, bodyLimits: { json: NaN } }, "'json'", 'bodyLimits', 'NaN'],
  [{ ...options, bodyLimits: { jsn: 1 } }, "'jsn'", 'Did you mean json?'],
  [{ ...options, context: {} }, "'context'", 'a function'],
  [{ ...options, keepBytes: 'a' }, "'keepBytes'", 'a list of operationIds'],
  [{ ...options, realm: 5 }, "'realm'", 'a text'],
  [{ ...options, guard: () => undefined }, "'guard'", 'accept and refuse'],
  [{ ...options, undeclaredProperties: true }, "'undeclaredProperties'", "'send' or 'strip'"],
  [{ ...options, undeclaredQuery: 'strip' }, "'undeclaredQuery'", "'refuse' or 'ignore'"],
  [{ ...options, fallthrough: 'no' }, "'fallthrough'", 'true or false'],
];

test.each(MISUSES)('options that are misused are refused with what is right: %#', async (given, ...named) => {
  const refusal = contractMiddleware(given as typeof options);
  for (const part of named) await expect(refusal).rejects.toThrow(part);
  await expect(refusal).rejects.toBeInstanceOf(ConfigurationError);
});

test('every option may be left out or undefined, except the contract and the handlers', async () => {
  const unset = { timeout: undefined, bodyLimits: undefined, realm: undefined, onError: undefined };
  expect(typeof (await contractMiddleware({ ...options, ...unset }))).toBe('function');
  expect(typeof (await contractMiddleware({ ...options, timeout: Infinity }))).toBe('function');
});
