import { afterAll, describe, expect, test } from '@jest/globals';
import type { Operation } from 'openapi-exact';
import { startKeyServer } from '../support/key-server.ts';
import { expectError, send } from '../support/send.ts';
import { contract, plantsIn, startService } from '../support/service.ts';

const PLANTS = [1n, 2n, 3n];
const SCOPED = contract.operations.filter(
  ({ definition, security }) => '403' in definition.responses && security.length > 0,
);

const provider = await startKeyServer();
const identityProvider = { ...provider.settings, requiredScope: ['plants:delete', 'shop'] };
const service = await startService(PLANTS, undefined, { identityProvider });
afterAll(async () => {
  await service.close();
  await provider.close();
});

describe.each(SCOPED.map((operation): [string, Operation] => [operation.id, operation]))('%s', (_id, operation) => {
  // As any text, a scope is not found in a longer one, nor in a list: RFC 8693, section 4.2, has
  // one text.
  test.each([
    undefined,
    '',
    'plants:delete',
    'shop',
    'plants:delete,shop',
    'plants:deleted shop',
    'SHOP plants:delete',
    ['plants:delete', 'shop'],
  ])('answers 403 before it validates to a valid token with the scope %j, and changes nothing', async (scope) => {
    const token = provider.token({ claims: { scope } });
    for (const id of ['1', 'x']) {
      const target = operation.path.replaceAll(/\{[^}]+\}/g, id);
      const response = await send(service, operation.method, target, { token });
      expect(expectError(response, 40300)).toBe('The access token lacks a scope that this operation needs.');
      expect(response.headers['www-authenticate']).toBe(
        'Bearer realm="plant-store", error="insufficient_scope", scope="plants:delete shop"',
      );
    }
    expect(await plantsIn(service.stores)).toEqual(PLANTS);
  });

  test('accepts a JWT with all scopes and a token of the service', async () => {
    const target = operation.path.replaceAll(/\{[^}]+\}/g, '404');
    for (const token of [provider.token({ claims: { scope: 'shop plants:delete' } }), service.token]) {
      expect((await send(service, operation.method, target, { token })).status).not.toBe(403);
    }
  });
});
