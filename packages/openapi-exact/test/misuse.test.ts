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

/** Options as JavaScript may give them, and what the message says. */
const MISUSES: readonly (readonly [unknown, string])[] = [
  [
    undefined,
    'contractMiddleware takes an object with options: contractMiddleware({ contract, handlers, verifiers }).',
  ],
  [{}, "The option 'contract' must be what loadContract resolves to"],
  [
    { ...options, contract: 'openapi.yaml' },
    "await loadContract(new URL('openapi.yaml', import.meta.url)), not 'openapi.yaml'.",
  ],
  [{ ...options, contract: { openapi: '3.1.0' } }, 'import.meta.url)), not an object.'],
  [{ ...options, contract: Promise.resolve(contract) }, 'not a promise: await it.'],
  [
    { contract, verifiers },
    "The option 'handlers' must be an object with a function for each operation, by operationId, not undefined.",
  ],
  [{ contract, handler: handlers }, "contractMiddleware has no option 'handler'. Did you mean handlers?"],
  [{ ...options, verifer: {} }, "contractMiddleware has no option 'verifer'. Did you mean verifiers?"],
  [{ ...options, logger: {} }, "contractMiddleware has no option 'logger'. It has contract, handlers, verifiers,"],
  [{ ...options, handlers: {} }, 'The operation listTodos (GET /todos) has no handler.'],
  [{ ...options, handlers: { listTodos: undefined } }, 'The operation listTodos (GET /todos) has no handler.'],
  [
    { ...options, unhandled: 'ignore' },
    "The option 'unhandled' must be 'refuse', 'next' or 'notImplemented', not 'ignore'.",
  ],
  [{ ...options, handlers: { listTodos: 'x' } }, "The handler of listTodos must be a function, not 'x'."],
  [
    { ...options, handlers: { ...handlers, other: () => ({}) } },
    "The handler 'other' belongs to no operation of the contract.",
  ],
  [
    { ...options, handlers: { listTodo: () => ({}) } },
    "The handler 'listTodo' belongs to no operation of the contract. Did you mean listTodos?",
  ],
  [{ ...options, checks: { other: () => ({}) } }, "The check 'other' belongs to no operation of the contract."],
  [{ ...options, checks: { listTodos: 1 } }, 'The check of listTodos must be a function, not 1.'],
  [{ contract, handlers }, "The security scheme 'bearerAuth' of the contract has no verifier"],
  [{ ...options, verifiers: { bearerAuth: true } }, "The verifier of 'bearerAuth' must be a function, not true."],
  [
    { ...options, verifiers: { ...verifiers, apiKey: () => undefined } },
    "The verifier 'apiKey' belongs to no security scheme of the contract.",
  ],
  [
    { ...options, timeout: '5s' },
    "The option 'timeout' must be a number of milliseconds above 0, or a function that returns one, not '5s'.",
  ],
  [{ ...options, timeout: NaN }, 'or a function that returns one, not NaN.'],
  [{ ...options, timeout: () => -1 }, 'The time-out of listTodos must be a number of milliseconds above 0, not -1.'],
  [{ ...options, bodyLimits: { json: -1 } }, "The limit 'json' of bodyLimits must be a number from 0, not -1."],
  [{ ...options, bodyLimits: { json: NaN } }, "The limit 'json' of bodyLimits must be a number from 0, not NaN."],
  [{ ...options, bodyLimits: { jsn: 1 } }, "bodyLimits has no limit 'jsn'. Did you mean json?"],
  [{ ...options, context: {} }, "The option 'context' must be a function, not an object."],
  [{ ...options, keepBytes: 'a' }, "The option 'keepBytes' must be a list of operationIds, not 'a'."],
  [{ ...options, realm: 5 }, "The option 'realm' must be a text, not 5."],
  [
    { ...options, guard: () => undefined },
    "The option 'guard' must be an object with the functions accept and refuse, not a function.",
  ],
  [
    { ...options, undeclaredProperties: true },
    "The option 'undeclaredProperties' must be 'send' or 'strip', not true.",
  ],
  [{ ...options, undeclaredQuery: 'strip' }, "The option 'undeclaredQuery' must be 'refuse' or 'ignore', not 'strip'."],
  [{ ...options, fallthrough: 'no' }, "The option 'fallthrough' must be true or false, not 'no'."],
];

test.each(MISUSES)('options that are misused are refused with what is right: %#', async (given, message) => {
  const refusal = contractMiddleware(given as typeof options);
  await expect(refusal).rejects.toThrow(message);
  await expect(refusal).rejects.toBeInstanceOf(ConfigurationError);
});

test('every option may be left out or undefined, except the contract and the handlers', async () => {
  const unset = { timeout: undefined, bodyLimits: undefined, realm: undefined, onError: undefined };
  expect(typeof (await contractMiddleware({ ...options, ...unset }))).toBe('function');
  expect(typeof (await contractMiddleware({ ...options, timeout: Infinity }))).toBe('function');
});
