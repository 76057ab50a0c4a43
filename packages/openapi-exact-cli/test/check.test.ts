import { describe, expect, test } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { CommandFolder } from './support/command-folder.ts';
import { DEFAULT, GOOD, TODO, todoContract } from './support/todo-contract.ts';

// The wording of warnings and errors is pinned here, and nowhere else.
const cli = new CommandFolder();

describe('check', () => {
  test('names every mistake at once, errors first, with file, line, column and way out, and what a misspelt word may mean', async () => {
    const text = todoContract(
      `  /todos/{id}:
    parameters: [{ name: id, in: path, required: true, schma: { type: string } }]
    get:
      summry: One todo.
      security: [{ bearrAuth: [] }]
      responses: { '200': { description: The todo., content: { application/json: { schema: { $ref: '#/components/schemas/Tood' } } } } }`,
      '{ Todo: { type: object, requried: [id], properties: { id: { type: integr } } } }',
    );
    await cli.write('openapi.yaml', text);
    const types = 'null, boolean, number, integer, string, array, object';
    expect(await cli.run('check', 'openapi.yaml')).toEqual({
      code: 1,
      stdout: '',
      stderr: `openapi.yaml:6:56: error: the parameter 'id' must have a schema. Did you mean schema by schma?
openapi.yaml:9:20: error: components/securitySchemes has no 'bearrAuth': declare it there. Did you mean bearerAuth?
openapi.yaml:10:94: error: the reference #/components/schemas/Tood leads nowhere: name something that is in openapi.yaml. Did you mean #/components/schemas/Todo?
openapi.yaml:13:72: error: "integr" is not a type of JSON Schema: use ${types}. Did you mean integer?
openapi.yaml:8:7: warning: summry is not a keyword of an operation and is ignored. Did you mean summary?
`,
    });
  });

  test('names mistakes of all kinds beside a broken reference', async () => {
    const broken = GOOD.replace('schemas/Todo', 'schemas/Todos')
      .replace('type: integer, format: int64', "type: string, pattern: '['")
      .replace('in: path', 'in: path, style: form')
      .replace('type: integer }', 'type: int }');
    await cli.write('openapi.yaml', broken);
    const { code, stderr } = await cli.run('check', 'openapi.yaml');
    expect([code, stderr.trim().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(/^openapi\.yaml:8:.* error: .* style is one of simple, label, matrix, not form/),
        expect.stringMatching(/^openapi\.yaml:8:.* error: the pattern \[ is not a regular expression/),
        expect.stringMatching(/^openapi\.yaml:9:.* error: the reference #\/components\/schemas\/Todos leads nowhere/),
        expect.stringMatching(/^openapi\.yaml:12:.* Did you mean integer\?$/),
      ],
    ]);
  });

  test('names a cause that many operations share once, by its schema', async () => {
    const links = Array.from({ length: 400 }, (_, index) => {
      const next = `{ $ref: '#/components/schemas/Link${(index + 1) % 400}' }`;
      return `Link${index}: { type: object, properties: { next: ${next} } }`;
    });
    const linked = "content: { application/json: { schema: { $ref: '#/components/schemas/Link7' } } }";
    const paths = Array.from(
      { length: 300 },
      (_, index) =>
        `  /links/${index}: { get: { operationId: get${index}, responses: { '200': { description: It., ${linked} }, ${DEFAULT} } } }`,
    );
    await cli.write('openapi.yaml', todoContract(paths.join('\n'), `\n    ${links.join('\n    ')}`));
    const { code, stderr } = await cli.run('check', 'openapi.yaml');
    expect([code, stderr.trim().split('\n')]).toEqual([
      1,
      [
        expect.stringMatching(
          /^openapi\.yaml:308:5: error: .* get0, get1, get2 and 297 more operations: 400 schemas, Link0 among them,/,
        ),
      ],
    ]);
  });

  test('says that operations can be served only if the start would serve them without further options', async () => {
    const schema = "{ type: object, required: [code], properties: { code: { type: string, pattern: '^E[0-9]+$' } } }";
    const failure = `default: { description: A failure., content: { application/json: { schema: ${schema} } } }`;
    await cli.write(
      'openapi.yaml',
      GOOD.replace(DEFAULT, () => failure),
    );
    const { code, stdout, stderr } = await cli.run('check', 'openapi.yaml');
    expect([code, stdout]).toEqual([0, 'openapi.yaml: 1 operation needs the option errorBody to be served\n']);
    expect(stderr).toMatch(
      /^openapi\.yaml:9:7: warning: getTodo does not allow the default body for 400 \(.*401 .*\n$/,
    );
    expect(await cli.run('check', '--strict', 'openapi.yaml')).toMatchObject({ code: 1 });
  });

  test('--strict fails for warnings too, and --json writes what was found for programs', async () => {
    const doubtful = GOOD.replace('      operationId', '      sumary: One todo.\n      operationId');
    await cli.write('openapi.yaml', doubtful);
    await cli.write('good.yaml', GOOD);
    expect(await cli.run('check', 'openapi.yaml')).toMatchObject({ code: 0 });
    expect(await cli.run('check', '--strict', 'openapi.yaml')).toMatchObject({ code: 1 });
    expect(await cli.run('check', '--strict', 'good.yaml')).toMatchObject({ code: 0 });
    await cli.write('wrong.yaml', GOOD.replace('type: integer }', 'type: int }'));
    const { code, stdout, stderr } = await cli.run('check', '--json', 'openapi.yaml', 'wrong.yaml', 'missing.yaml');
    expect({ code, stderr, reports: JSON.parse(stdout) as unknown }).toEqual({
      code: 1,
      stderr: '',
      reports: [
        {
          contract: 'openapi.yaml',
          isServed: true,
          needsErrorBody: false,
          operations: 1,
          problems: [
            {
              file: 'openapi.yaml',
              line: 7,
              column: 7,
              pointer: '/paths/~1todos~1{id}/get/sumary',
              severity: 'warning',
              message: 'sumary is not a keyword of an operation and is ignored. Did you mean summary?',
            },
          ],
        },
        {
          contract: 'wrong.yaml',
          isServed: false,
          needsErrorBody: false,
          operations: 0,
          problems: [
            expect.objectContaining({
              line: 12,
              pointer: '/components/schemas/Todo/properties/id/type',
              severity: 'error',
              message: expect.stringContaining('Did you mean integer?'),
            }),
          ],
        },
        {
          contract: 'missing.yaml',
          isServed: false,
          needsErrorBody: false,
          operations: 0,
          problems: [
            expect.objectContaining({
              file: 'missing.yaml',
              severity: 'error',
              message: expect.stringContaining('ENOENT'),
            }),
          ],
        },
      ],
    });
  });

  test.each([
    ['int', 'integer'],
    ['Long', 'integer'],
    ['float', 'number'],
    ['bool', 'boolean'],
    ['datetime', 'string'],
    ['list', 'array'],
    ['Map', 'object'],
    ['strnig', 'string'],
  ])('says that the type %s means %s', async (name, type) => {
    await cli.write('openapi.yaml', GOOD.replace('type: integer }', `type: ${name} }`));
    const { code, stderr } = await cli.run('check', 'openapi.yaml');
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(`Did you mean ${type}?`) });
  });

  test('warns of misspelt keywords and of statuses that are answered but not declared, and succeeds', async () => {
    const text = todoContract(
      `  /todos:
    get:
      operationId: listTodos
      responses: { '200': { description: All., ${TODO} }, 4XX: { description: No. } }
    post:
      operationId: addTodo
      requestBody: { ${TODO} }
      responses: { '201': { description: Added., ${TODO} }, '400': { description: No. }, '500': { description: No. } }`,
      '{ Todo: { type: object, requried: [id], properties: { id: { type: integer } }, x-requried: [id] } }',
    );
    await cli.write('openapi.yaml', text);
    const way = 'declare each status, a range such as 4XX, or default.';
    expect(await cli.run('check', 'openapi.yaml')).toEqual({
      code: 0,
      stdout: 'openapi.yaml: 2 operations can be served\n',
      stderr: `openapi.yaml:8:7: warning: listTodos also answers 500: ${way}
openapi.yaml:12:7: warning: addTodo also answers 401, 413, 415 and 503: ${way}
openapi.yaml:15:36: warning: requried is not a keyword of a schema and is ignored. Did you mean required?
`,
    });
  });

  test('warns of entity tags that clients send back and no handler gets', async () => {
    const tag = 'headers: { ETag: { schema: { type: string } } }';
    const parameter = (name: string): string => `parameters: [{ name: ${name}, in: header, schema: { type: string } }]`;
    const text = todoContract(`  /todos:
    get: { operationId: getTodos, responses: { '200': { description: All., ${tag} }, '304': { description: Same. }, ${DEFAULT} } }
    put: { operationId: setTodos, responses: { ${DEFAULT} } }
    post: { operationId: addTodo, responses: { ${DEFAULT} } }
  /notes:
    get: { operationId: getNotes, ${parameter('if-none-match')}, responses: { '304': { description: Same., ${tag} }, ${DEFAULT} } }
    delete: { operationId: deleteNotes, ${parameter('If-Match')}, responses: { ${DEFAULT} } }`);
    await cli.write('openapi.yaml', text);
    const way = 'declare it as a header parameter.';
    expect(await cli.run('check', 'openapi.yaml')).toEqual({
      code: 0,
      stdout: 'openapi.yaml: 5 operations can be served\n',
      stderr: `openapi.yaml:6:35: warning: getTodos declares 304, but its handler does not get If-None-Match: ${way}
openapi.yaml:7:35: warning: getTodos sends an ETag, but setTodos answers 412 whenever If-Match has one: declare If-Match as a header parameter.
`,
    });
  });

  test('warns of schemas that each of many values takes long for, and not of those which ask less or fewer values', async () => {
    const texts = (count: number): string =>
      JSON.stringify(Array.from({ length: count }, (_, index) => ({ type: 'string', minLength: index })));
    const body = (schema: string): string =>
      `{ post: { requestBody: { content: { application/json: { schema: ${schema} } } }, responses: { ${DEFAULT} } } }`;
    const text = todoContract(`  /costly: ${body("{ type: array, items: { $ref: '#/components/schemas/Text' } }")}
  /bounded: ${body("{ type: array, maxItems: 1000, items: { $ref: '#/components/schemas/Text' } }")}
  /few: ${body(`{ type: array, items: { anyOf: ${texts(100)} } }`)}`);
    const schemas = `schemas: { Text: { anyOf: ${texts(150)} } }`;
    await cli.write('openapi.yaml', text.replace(/schemas: .*\n$/, `${schemas}\n`));
    expect(await cli.run('check', 'openapi.yaml')).toEqual({
      code: 0,
      stdout: 'openapi.yaml: 3 operations can be served\n',
      stderr: `openapi.yaml:10:14: warning: a value takes up to 150 evaluations of schemas, and a body may have 10000 values: tell alternatives apart by a required discriminator or a type, have fewer of them, set maxItems, or lower bodyLimits.values.
`,
    });
  });

  test('warns of what OpenAPI ignores where it stands: misspelt formats, nullable in 3.1, lost mappings, and undeclared parameters', async () => {
    const schemas = `
    Pet: { oneOf: [{ $ref: '#/components/schemas/Cat' }], discriminator: { propertyName: kind, mapping: { cat: Cat, dog: '#/components/schemas/Catt' } } }
    Cat: { type: object, required: [kind], properties: { kind: { const: cat }, age: { type: integer, nullable: true }, at: { type: string, format: datetime } } }`;
    const text = todoContract(`  /todos/{id}: { get: { responses: { ${DEFAULT} } } }`, schemas);
    await cli.write('openapi.yaml', text);
    expect(await cli.run('check', 'openapi.yaml')).toEqual({
      code: 0,
      stdout: 'openapi.yaml: 1 operation can be served\n',
      stderr: `openapi.yaml:5:18: warning: no parameter declares {id} of the path /todos/{id}: declare it, or it is any string.
openapi.yaml:9:117: warning: the mapping of dog to #/components/schemas/Catt leads nowhere and is ignored. Did you mean Cat?
openapi.yaml:10:102: warning: nullable is not a keyword of OpenAPI 3.1 and later, and is ignored: write type: [integer, 'null'].
openapi.yaml:10:140: warning: the format datetime is not known and is ignored. Did you mean date-time?
`,
    });
  });

  test('warns of schemas that allow no value, of required names that are misspelt, and of misspelt schemes and media types', async () => {
    const schemas = `
    Never: { type: object, additionalProperties: false, required: [nam, id], properties: { name: {}, id: {} }, patternProperties: { ^x-: {} } }
    Misspelt: { type: object, required: [nmae, other], properties: { name: {} } }
    Composed: { allOf: [{ properties: { a: {}, b: {} } }], additionalProperties: false, required: [a, b] }
    Pattern: { type: object, additionalProperties: false, required: [x-a], patternProperties: { ^x-: {} } }
    Crossed: { type: [integer, string, array, object], minimum: 3, maximum: 2, minLength: 9007199254740993, maxLength: 9007199254740992, minItems: 1, maxItems: 0, minProperties: 1, maxProperties: 0 }
    Touching: { type: number, minimum: 1, exclusiveMaximum: 1, exclusiveMinimum: 1 }
    One: { type: number, minimum: 1, maximum: 1 }
    Foreign: { type: string, enum: [1, 2] }
    Idle: { type: [integer, 'null'], minLength: 1, maximum: 5, uniqueItems: false, enum: [1, one] }`;
    const text = todoContract(
      `  /todos:
    post:
      operationId: addTodo
      requestBody: { content: { aplication/json: {}, application/jsn: {}, application/vnd.jsn: {}, application/x-jsn: {}, image/jpg: {}, my/jsn: {} } }
      responses: { ${DEFAULT} }`,
      schemas,
    ).replace('scheme: bearer }', 'scheme: bearr }, own: { type: http, scheme: Hawk }');
    await cli.write('openapi.yaml', text);
    const warnings = [
      '8:33: warning: aplication/json is not a registered media type. Did you mean application/json?',
      '8:54: warning: application/jsn is not a registered media type. Did you mean application/json?',
      '11:48: warning: bearr is not a registered scheme of HTTP authentication. Did you mean bearer?',
      '13:57: warning: no object is valid: nam is required, and additionalProperties forbids it. Add it to properties. Did you mean name?',
      '14:31: warning: nmae is required, and no property has this name. Did you mean name?',
      '15:89: warning: no object is valid: a, b are required, and additionalProperties forbids them. It knows only the properties beside it: write unevaluatedProperties of OpenAPI 3.1, which knows all.',
      '17:56: warning: no number is valid: minimum is 3, and maximum is 2. Correct one of them.',
      '17:80: warning: no string is valid: minLength is 9007199254740993, and maxLength is 9007199254740992. Correct one of them.',
      '17:138: warning: no array is valid: minItems is 1, and maxItems is 0. Correct one of them.',
      '17:164: warning: no object is valid: minProperties is 1, and maxProperties is 0. Correct one of them.',
      '18:31: warning: no number is valid: minimum is 1, and exclusiveMaximum is 1. Correct one of them.',
      '18:64: warning: no number is valid: exclusiveMinimum is 1, and exclusiveMaximum is 1. Correct one of them.',
      '20:30: warning: no value is valid: each value of enum is of another type than string. Correct the type, or the values.',
      '21:38: warning: minLength says nothing of the type integer or null and is ignored.',
    ];
    const { code, stderr } = await cli.run('check', 'openapi.yaml');
    expect([code, stderr.trimEnd().split('\n')]).toEqual([0, warnings.map((line) => `openapi.yaml:${line}`)]);
  });

  test('warns of examples and defaults that the service would refuse in every message', async () => {
    const schemas = `
    Todo:
      type: object
      required: [id, name]
      additionalProperties: false
      properties:
        id: { type: integer, format: int64, readOnly: true, example: 9223372036854775808 }
        name: { type: string, minLength: 1, default: '', example: 2026-11-26 }
        at: { type: string, format: date, examples: [2026-11-26, 2026-13-01] }
        secret: { type: string, writeOnly: true }
        list: { type: array, items: { type: integer }, default: [a] }
        count: { type: integer, default: '1', example: null }`;
    const text = todoContract(
      `  /todos:
    get:
      operationId: listTodos
      parameters: [{ name: page, in: query, schema: { type: integer, maximum: 10, default: 11 }, example: 12 }]
      responses:
        default:
          description: All.
          headers: { X-Count: { schema: { type: integer }, example: many } }
          content:
            text/plain: { schema: { type: object }, example: A text. }
            application/json:
              schema: { $ref: '#/components/schemas/Todo' }
              examples:
                response: { value: { id: 9223372036854775807, name: Water. } }
                request: { value: { name: Water., secret: tap } }
                text: { value: '{ "id": 1, "name": "Water." }' }
                misspelt: { value: { id: 1, nam: Water. } }
                elsewhere: { $ref: '#/components/examples/List' }`,
      schemas,
    ).replace('  schemas:', '  examples: { List: { value: [1] } }\n  schemas:');
    await cli.write('openapi.yaml', text);
    const int64 = 'must be a decimal integer between -9223372036854775808 and';
    const warnings = [
      '8:83: warning: the default must be a decimal integer between -9007199254740991 and 10, such as 1, not 11.',
      '8:98: warning: the example must be a decimal integer between -9007199254740991 and 10, such as 1, not 12.',
      "12:60: warning: the example must be a number, not 'many'.",
      '21:29: warning: the example is not valid: /name must be given.',
      '25:23: warning: the example must be an object.',
      `32:61: warning: the example ${int64} 9223372036854775807, such as 12, not 9223372036854775808.`,
      "33:45: warning: the default must have at least 1 character, not ''.",
      `34:66: warning: the example must match format "date", not '2026-13-01'.`,
      '36:56: warning: the default is not valid: /0 must be a number.',
      '37:33: warning: the default "1" is not of the type integer and is ignored.',
    ];
    const { code, stderr } = await cli.run('check', 'openapi.yaml');
    expect([code, stderr.trimEnd().split('\n')]).toEqual([0, warnings.map((line) => `openapi.yaml:${line}`)]);
  });

  test('warns of parts that no schema can be told to describe', async () => {
    const json = '{ type: object }';
    const same = `{ schema: { properties: { one: ${json}, two: ${json}, file: { format: binary } } } }`;
    const list = `{ schema: { type: array, items: ${json} } }`;
    const text = todoContract(`  /todos:
    post:
      operationId: addTodos
      requestBody:
        content:
          multipart/related: ${same}
          multipart/mixed: ${list}
          multipart/form-data: ${same}
      responses: { ${DEFAULT} }`);
    await cli.write('openapi.yaml', text);
    expect(await cli.run('check', 'openapi.yaml')).toEqual({
      code: 0,
      stdout: 'openapi.yaml: 1 operation can be served\n',
      stderr: `openapi.yaml:10:32: warning: a part of multipart/related without a name is not validated if it may be one or two: give each property an encoding with a contentType of its own.
openapi.yaml:11:30: warning: the parts of multipart/mixed are not validated, since their schema is that of a list: describe an object with a property for each, or write openapi: 3.2.0.
`,
    });
  });

  test('checks a contract in several files', async () => {
    const shared = '[{ $ref: shared.yaml#/id }]';
    const text = todoContract(`  /todos/{id}/{name}: { get: { parameters: ${shared}, responses: { ${DEFAULT} } } }`);
    await cli.write('openapi.yaml', text);
    const id = 'id: { name: id, in: path, required: true, schema: { type: integer, example: one } }\n';
    await cli.write('shared.yaml', id);
    expect(await cli.run('check', 'openapi.yaml')).toEqual({
      code: 0,
      stdout: 'openapi.yaml: 1 operation can be served\n',
      stderr: `openapi.yaml:5:25: warning: no parameter declares {name} of the path /todos/{id}/{name}: declare it, or it is any string.
shared.yaml:1:68: warning: the example must be a number, not 'one'.
`,
    });
  });

  test('leaves out a warning that an error causes, and checks several contracts', async () => {
    await cli.write('good.yaml', GOOD);
    await cli.write('bad.yaml', todoContract(`  /todos: { get: { responses: { 2OO: { description: O. } } } }`));
    expect(await cli.run('check', 'bad.yaml', 'good.yaml')).toEqual({
      code: 1,
      stdout: 'good.yaml: 1 operation can be served\n',
      stderr: "bad.yaml:5:33: error: a status is a number such as 204, a range such as 4XX or 'default', not '2OO'.\n",
    });
  });

  test('tells of mistakes of YAML in a sentence with the place and what would be right', async () => {
    const mistakes: readonly (readonly [right: string, wrong: string, said: string])[] = [
      ['      operationId', '\t\toperationId', '7:1: a tab indents the line: YAML takes spaces only.'],
      [
        '      responses',
        '     responses',
        '9:6: the line is not indented like the other keys of its object: start all keys of an object in the same column.',
      ],
      [
        '      responses',
        '        responses',
        '9:9: the line is not indented like the other keys of its object: start all keys of an object in the same column.',
      ],
      [
        '      parameters',
        '        parameters',
        '8:9: the line is indented deeper than the key above it, which has a value: start both in the same column.',
      ],
      ['    get:', '    get:\n    get:', '7:5: the key get is given twice in one object: keep one.'],
      ['getTodo', "'getTodo", "7:20: the text that begins with ' does not end: close it with '."],
      ['version: 1.0.0 }', 'version: 1.0.0', '2:7: the { is not closed: write } where it ends.'],
      ['in: path,', 'in: path', '8:36: a comma is missing: it separates what stands between braces or brackets.'],
      ['operationId: ', 'operationId:', '7:7: a space is missing behind the colon: write operationId: getTodo.'],
      ['getTodo', 'get: todo', '7:20: a value with a colon and a space in it must be in quotes.'],
      ['getTodo', '@todo', '7:20: a value cannot begin with @: put it in quotes.'],
      [
        'getTodo',
        "'get'todo",
        `7:25: text follows the quote that ends a value: within '…' write '' for a quote, within "…" \\".`,
      ],
      ['    get:', '<<<<<<< HEAD\n    get:', '6:1: a conflict of a merge was left in the file: resolve it.'],
      [
        'getTodo',
        'get\0Todo',
        '7:23: a null byte is not allowed: remove it, or save the file as UTF-8 if it is in another encoding.',
      ],
      ['getTodo', '*todo', '7:25: no anchor has the name of the alias *todo: put the value in quotes if it is a text.'],
    ];
    for (const [index, [right, wrong]] of mistakes.entries()) {
      expect(GOOD).toContain(right);
      await cli.write(`${index}.yaml`, GOOD.replace(right, wrong));
    }
    const { code, stderr } = await cli.run('check', ...mistakes.map((_, index) => `${index}.yaml`));
    expect([code, stderr.trimEnd().split('\n')]).toEqual([
      1,
      mistakes.map(([, , said], index) => `${index}.yaml:${said.replace(/: /, ': error: the YAML does not parse: ')}`),
    ]);
  });

  test('tells of a contract that cannot be read beside the mistakes and warnings of others', async () => {
    await cli.write('good.yaml', GOOD);
    await cli.write('bad.yaml', todoContract(`  /todos: { get: { responses: { 2OO: { description: O. } } } }`));
    expect(await cli.run('check', 'none.yaml', 'bad.yaml', 'good.yaml')).toEqual({
      code: 1,
      stdout: 'good.yaml: 1 operation can be served\n',
      stderr: expect.stringMatching(
        /^none\.yaml: error: The contract none\.yaml cannot be read: ENOENT.*\nbad\.yaml:5:33: error: .*\n$/,
      ),
    });
  });

  test('--version names the version of the package', async () => {
    const manifest = await readFile(new URL('../package.json', import.meta.url), 'utf8');
    const { version } = JSON.parse(manifest) as { version: string };
    expect(await cli.start('--version').ended).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  test('tells of a contract that cannot be read, and of a wrong command line', async () => {
    expect(await cli.run('check', 'none.yaml')).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^none\.yaml: error: The contract none\.yaml cannot be read: ENOENT/),
    });
    expect(await cli.start('check').ended).toMatchObject({
      code: 2,
      stderr: "error: missing required argument 'contract'\n",
    });
  });
});
