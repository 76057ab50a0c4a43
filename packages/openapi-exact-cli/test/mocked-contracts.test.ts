import { expect, test } from '@jest/globals';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ExampleMessages, operationKeys, readDocuments, writeRequest } from 'openapi-exact-cli/examples';
import { HttpClient } from 'test-support/http-client.ts';
import { Mock } from '../src/commands/mock.ts';
import { callMock } from './mock-client/call-mock.ts';

const CONTRACTS = fileURLToPath(new URL('../../openapi-exact/test/fixtures/contracts/features', import.meta.url));

test.each((await readdir(CONTRACTS)).filter((name) => name.endsWith('.yaml')))(
  'every operation of %s answers a valid request with the status of its success',
  async (name) => {
    const mock = new Mock(join(CONTRACTS, name));
    await mock.load();
    const client = new HttpClient(Number(new URL(await mock.listen(0)).port));
    for await (const document of readDocuments(join(CONTRACTS, name), () => undefined)) {
      const messages = new ExampleMessages(document);
      for (const operationKey of operationKeys(document)) {
        const [{ status }] = messages.responses(operationKey);
        const { method, target, headers, body } = writeRequest(
          document,
          operationKey,
          messages.request(operationKey),
          undefined,
        );
        const answer = await client.request(method, target, { headers, body });
        expect({ operationKey, status: answer.status, text: status === answer.status || answer.text }).toEqual({
          operationKey,
          status,
          text: true,
        });
      }
    }
    client.close();
    mock.server.close();
  },
);

test.each([
  join(CONTRACTS, 'media-types.yaml'),
  join(CONTRACTS, 'parameters.yaml'),
  fileURLToPath(new URL('../../openapi-exact/examples/garden/openapi.yaml', import.meta.url)),
])('the client takes what the mock of %s answers to each operation', async (file) => {
  const { operations, answered, refused } = await callMock(file);
  expect({ answered, refused }).toEqual({ answered: operations, refused: [] });
});
