import { FIELDS } from 'openapi-exact/contract';

/** Every keyword with schemas. */
export const SCHEMA_KEYWORDS = Object.keys(FIELDS.schema);

const LEAF = {
  type: 'object',
  properties: {
    n: { type: 'integer', format: 'int64', default: 1 },
    r: { type: 'string', readOnly: true },
    kind: { const: 'leaf' },
  },
};

/** A schema with another one under a keyword. */
function under(keyword: string, schema: object): object {
  const shape = FIELDS.schema[keyword]?.shape;
  // Without a condition, its branches say nothing.
  const condition = keyword === 'then' || keyword === 'else' ? { if: { required: ['n'] } } : {};
  const value =
    shape === 'map'
      ? { a: schema }
      : shape === 'list'
        ? [schema, { type: 'object', required: ['kind'], properties: { kind: { const: keyword } } }]
        : schema;
  return { ...condition, [keyword]: value };
}

/** A schema of so many levels, with each keyword within the one before it, and around again. */
export function nestedSchema(keywords: readonly string[], levels: number): object {
  return Array.from({ length: levels }, (_, level) => keywords[level % keywords.length] ?? '').reduceRight<object>(
    (schema, keyword) => under(keyword, schema),
    LEAF,
  );
}

/** A contract with each schema in a body of JSON, both ways, in forms and in a query. */
export function contractOf(schemas: readonly object[]): string {
  const named = Object.fromEntries(schemas.map((schema, index) => [`S${index}`, schema]));
  const paths = Object.fromEntries(
    Object.keys(named).map((name) => {
      const schema = { $ref: `#/components/schemas/${name}` };
      const form = { schema: { type: 'object', properties: { v: schema } } };
      const content = {
        'application/json': { schema },
        'application/x-www-form-urlencoded': form,
        'multipart/form-data': form,
      };
      const post = {
        operationId: name,
        parameters: [{ in: 'query', name: 'q', style: 'deepObject', schema }],
        requestBody: { content },
        responses: { 200: { description: 'The same.', content: { 'application/json': { schema } } } },
      };
      return [`/${name}`, { post }];
    }),
  );
  const info = { title: 'Nested schemas', version: '1.0.0' };
  return JSON.stringify({ openapi: '3.1.0', info, paths, components: { schemas: named } });
}
