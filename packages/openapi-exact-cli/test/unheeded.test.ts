import { expect, test } from '@jest/globals';
import { reviewContract } from 'openapi-exact-cli';
import { withFiles } from 'test-support/contract-files.ts';

/** The places that check warns of, by the marks in comments behind their lines. */
async function warnedLines(text: string): Promise<readonly string[]> {
  const { errors, warnings } = await withFiles({ 'openapi.yaml': text }, (file) => reviewContract(file));
  expect(errors).toEqual([]);
  return warnings.map(({ line = 0 }) => text.split('\n')[line - 1] ?? '');
}

test.each([
  [
    'nullable beside allOf, oneOf or anyOf in OpenAPI 3.0, unless it allows null',
    '3.0.3',
    '',
    `
    pet: { nullable: true, allOf: [{ $ref: '#/components/schemas/Pet' }] } # warned
    dog: { type: object, nullable: true, allOf: [{ $ref: '#/components/schemas/Pet' }] } # warned
    both: { nullable: true, oneOf: [{ type: string }, { type: integer }] } # warned
    cat: { type: object, nullable: true, allOf: [{ $ref: '#/components/schemas/Cat' }] }
    any: { nullable: true }`,
  ],
  [
    'header parameters that OpenAPI ignores',
    '3.1.0',
    `
        - { name: Accept, in: header, schema: { type: string } } # warned
        - { name: authorization, in: header, schema: { type: string } } # warned
        - { name: Content-Type, in: header, schema: { type: string } } # warned
        - { name: Accept-Language, in: header, schema: { type: string } }
        - { name: accept, in: query, schema: { type: string } }`,
    ' {}',
  ],
  [
    'a default of what a request must have',
    '3.1.0',
    `
        - { name: size, in: query, required: true, schema: { type: integer, default: 1 } } # warned
        - { name: page, in: query, schema: { type: integer, default: 1 } }`,
    `
    inner: { type: object, required: [kind], properties: { kind: { default: cat } } } # warned
    whole: { required: [b], allOf: [{ properties: { b: { default: 1 } } }] } # warned
    read: { type: object, required: [id], properties: { id: { default: a, readOnly: true } } }
    free: { type: object, required: [id], properties: { id: {}, kind: { default: cat } } }`,
  ],
])('check warns of %s', async (_what, version, parameters, properties) => {
  const text = `openapi: ${version}
info: { title: Warned, version: 1.0.0 }
paths:
  /a:
    post:
      parameters:${parameters === '' ? ' []' : parameters}
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Body' } } } }
      responses: { '200': { $ref: '#/components/responses/Own' }, default: { description: Any. } }
components:
  responses:
    Own: { description: It., content: { application/json: { schema: { type: object, required: [a], properties: { a: { default: 1 } } } } } }
  schemas:
   Pet: { type: object }
   Cat: { type: object, nullable: ${version === '3.0.3'} }
   Body:
    properties:${properties.replaceAll('\n', '\n  ')}
`;
  const warned = text.split('\n').filter((line) => line.endsWith('# warned'));
  expect(await warnedLines(text)).toEqual(warned);
});
