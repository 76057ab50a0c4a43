import { expect, test } from '@jest/globals';
import { withFiles } from 'test-support/contract-files.ts';
import { loadContract } from '../../src/server/load-contract.ts';
import { serveContract } from '../support/contract-server.ts';

const FILES = {
  'openapi.yaml': `openapi: 3.2.0
security: [{ 'shared.yaml#/components/securitySchemes/token': [read] }]
paths:
  /a: { get: { operationId: a, responses: { '204': { summary: Done. } } } }
  /b:
    get:
      operationId: b
      security: [{ '#/components/securitySchemes/key': [] }, { key: [], ./shared.yaml#/components/securitySchemes/token: [] }]
      responses: { '204': { summary: Done. } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key, deprecated: true } }
`,
  'shared.yaml': `openapi: 3.2.0
components:
  securitySchemes:
    token:
      type: oauth2
      oauth2MetadataUrl: https://example.com/.well-known/oauth-authorization-server
      flows:
        deviceAuthorization:
          deviceAuthorizationUrl: https://example.com/device
          tokenUrl: https://example.com/token
          scopes: { read: Read. }
`,
};

test('a requirement names a security scheme by its URI, which becomes a component', async () => {
  await withFiles(FILES, async (file) => {
    const { operations } = await loadContract(file);
    expect(operations.map(({ security }) => security)).toEqual([
      [{ token: ['read'] }],
      [{ key: [] }, { key: [], token: [] }],
    ]);
    const verifiers = {
      token: (token: string) => (token === 't' ? { name: 'token' } : undefined),
      key: (key: string) => (key === 'k' ? { name: 'key' } : undefined),
    };
    const server = await serveContract(file, () => ({ status: 204 }), verifiers);
    const get = async (path: string, headers: object): Promise<number> =>
      (await server.request('GET', path, { headers: { ...headers } })).status;
    const token = { Authorization: 'Bearer t' };
    expect([await get('/a', {}), await get('/a', token), await get('/b', token)]).toEqual([401, 204, 401]);
    expect(await get('/b', { 'X-Key': 'k' })).toBe(204);
    await server.close();
  });
});

test('a URI that leads nowhere is refused, and so is any in a contract of an earlier version', async () => {
  const lost = FILES['openapi.yaml'].replace('shared.yaml#/components/securitySchemes/token', 'none.yaml#/token');
  await withFiles({ 'openapi.yaml': lost, 'shared.yaml': FILES['shared.yaml'] }, async (file) => {
    await expect(loadContract(file)).rejects.toThrow("no 'none.yaml#/token'");
  });
  const earlier = FILES['openapi.yaml'].replace('3.2.0', '3.1.0');
  await withFiles({ ...FILES, 'openapi.yaml': earlier }, async (file) => {
    await expect(loadContract(file)).rejects.toThrow('components/securitySchemes has no');
  });
});
