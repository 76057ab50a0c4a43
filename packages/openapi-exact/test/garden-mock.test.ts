import { expect, test } from '@jest/globals';
import express from 'express';
import { fileURLToPath } from 'node:url';
import { mockHandlers } from 'openapi-exact-cli';
import { ExampleMessages, operationKeys, readDocuments, writeRequest } from 'openapi-exact-cli/examples';
import { HttpClient } from 'test-support/http-client.ts';
import { formats } from '../examples/garden/formats.ts';
import type { operations } from '../examples/garden/generated/openapi.d.ts';
import { shapes } from '../examples/garden/generated/shapes.ts';
import { loadContract } from '../src/server/load-contract.ts';
import { contractMiddleware } from '../src/server/middleware.ts';

const GARDEN = fileURLToPath(new URL('../examples/garden/openapi.yaml', import.meta.url));

test('every operation of the garden answers a valid request by mockHandlers with its formats', async () => {
  const contract = await loadContract(GARDEN);
  const handlers = mockHandlers<operations>(contract, { formats });
  const schemes = Object.keys(contract.document.components?.securitySchemes ?? {});
  const verifiers = Object.fromEntries(schemes.map((scheme) => [scheme, () => ({ name: 'gardener' })]));
  const server = express()
    .use(await contractMiddleware({ contract, handlers, verifiers, formats, shapes }))
    .listen(0);
  const client = new HttpClient((server.address() as { port: number }).port);
  for await (const document of readDocuments(GARDEN, () => undefined)) {
    const messages = new ExampleMessages(document);
    for (const operationKey of operationKeys(document)) {
      const [{ status }] = messages.responses(operationKey);
      const request = writeRequest(document, operationKey, messages.request(operationKey), undefined);
      const answer = await client.request(request.method, request.target, request);
      expect({ operationKey, status: answer.status }).toEqual({ operationKey, status });
    }
  }
  client.close();
  server.close();
});
