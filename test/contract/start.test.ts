import { expect, test } from '@jest/globals';
import { loadContract } from '../../src/contract/document/load.ts';
import { mountContract } from '../../src/contract/mount.ts';
import { OperatorError } from '../../src/errors.ts';
import { contract as whole } from '../support/service.ts';

/** The contract with one operation, whatever else it gets. */
const contract = { ...whole, operations: whole.operations.filter(({ id }) => id === 'deletePlant') };
const handlers = { deletePlant: () => ({ status: 204 }) };
const verifiers = { bearerAuth: () => Promise.resolve({ name: 'anybody' }) };
const start = (change: Partial<Parameters<typeof mountContract>[0]>): Promise<unknown> =>
  mountContract({ contract, handlers, verifiers, ...change });

/** The contract with another name or security of its operation. */
const withOperation = (change: object): typeof contract => ({
  ...contract,
  operations: contract.operations.map((operation) => ({ ...operation, ...change })),
});
const INHERITED = withOperation({ id: 'toString' });
const { document } = contract;
const securitySchemes = {
  ...document.components?.securitySchemes,
  keyAuth: { type: 'apiKey', in: 'header', name: 'key' },
};
const unused = { ...contract, document: { ...document, components: { ...document.components, securitySchemes } } };

test.each<[what: string, start: () => Promise<unknown>, name: string]>([
  ['without a handler for an operation', () => start({ handlers: {} }), 'deletePlant (DELETE /plants/{id})'],
  ['with an inherited property for a handler', () => start({ contract: INHERITED, handlers: {} }), 'toString (DELETE'],
  [
    'with a handler without an operation',
    () => start({ handlers: { ...handlers, water: handlers.deletePlant } }),
    "'water'",
  ],
  ['without a verifier for a security scheme: it never fails open', () => start({ verifiers: {} }), "'bearerAuth'"],
  ['without a verifier for a scheme that no operation asks for yet', () => start({ contract: unused }), "'keyAuth'"],
  ...['toString', 'constructor', '__proto__'].map((name): [string, () => Promise<unknown>, string] => [
    `with a security scheme named ${name}, which every object inherits`,
    () => start({ contract: withOperation({ security: [Object.fromEntries([[name, []]])] }) }),
    `'${name}'`,
  ]),
  ['without its contract', () => loadContract(new URL('file:///nowhere/none.yaml')), 'none.yaml'],
])('the service does not start %s, and one line says so', async (_what, started, name) => {
  const thrown: unknown = await started().catch((error: unknown) => error);
  expect(thrown).toBeInstanceOf(OperatorError);
  // The assertion above has shown it.
  const { message } = thrown as OperatorError;
  expect(message).toContain(name);
  expect(message).not.toContain('\n');
});
