/**
 * A contract with this many operations in nested tags: areas of teams of ten operations. Each has
 * parameters, a body and errors with its own schemas. Two more have a form and an event stream.
 */
export function largeContract(operations: number): object {
  const areas = Math.ceil(operations / 100);
  const numbers = Array.from({ length: operations }, (_, index) => index);
  const teams = [...new Set(numbers.map(teamOf))];
  return {
    openapi: '3.1.0',
    info: { title: 'Everything', version: '1.0.0', description: `${operations} operations.` },
    servers: [{ url: 'http://127.0.0.1/' }],
    tags: [
      ...Array.from({ length: areas }, (_, area) => ({ name: `area ${area}`, description: `The area ${area}.` })),
      ...teams.map((name) => ({ name, parent: `area ${name.split('.')[0]?.slice(5) ?? ''}` })),
    ],
    paths: {
      ...Object.fromEntries(numbers.map((number) => [`/things${number}/{id}`, { put: operation(number) }])),
      '/messages': { get: events(), post: form() },
    },
    components: {
      schemas: {
        Id: { type: 'integer', format: 'int64', description: 'Names something.' },
        Problem: { type: 'object', required: ['title'], properties: { title: { type: 'string' } } },
        ...Object.fromEntries(numbers.map((number) => [`Thing${number}`, thing(number)])),
      },
      responses: {
        Problem: {
          description: 'It cannot be done.',
          content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
        },
      },
    },
  };
}

function teamOf(number: number): string {
  return `team ${Math.floor(number / 100)}.${Math.floor(number / 10) % 10}`;
}

function operation(number: number): object {
  const content = { 'application/json': { schema: { $ref: `#/components/schemas/Thing${number}` } } };
  return {
    operationId: `replaceThing${number}`,
    summary: `Replace thing ${number}`,
    description: `Replaces the thing ${number}, or makes it.\n\n- at once\n- for *all*`,
    tags: [teamOf(number)],
    parameters: [
      { name: 'id', in: 'path', required: true, schema: { $ref: '#/components/schemas/Id' } },
      { name: 'near', in: 'query', schema: { type: 'array', items: { $ref: '#/components/schemas/Id' } } },
      { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100, default: 10 } },
    ],
    requestBody: { required: true, content },
    responses: {
      '200': { description: 'It is replaced.', content },
      '400': { $ref: '#/components/responses/Problem' },
      '404': { $ref: '#/components/responses/Problem' },
    },
  };
}

/** What is sent as a form, or in parts with a file. */
function form(): object {
  const note = { type: 'string' };
  const id = { $ref: '#/components/schemas/Id' };
  const file = { type: 'string', format: 'binary' };
  const content = {
    'application/x-www-form-urlencoded': { schema: { type: 'object', required: ['id'], properties: { id, note } } },
    'multipart/form-data': { schema: { type: 'object', required: ['file'], properties: { id, file } } },
  };
  const responses = { '204': { description: 'It is sent.' } };
  return { operationId: 'sendMessage', summary: 'Send a message', requestBody: { required: true, content }, responses };
}

function events(): object {
  const content = { 'text/event-stream': { schema: { type: 'string' } } };
  const responses = { '200': { description: 'Each message as it comes.', content } };
  return { operationId: 'followMessages', summary: 'Follow the messages', responses };
}

function thing(number: number): object {
  return {
    type: 'object',
    description: `The thing ${number}.`,
    required: ['id', 'name'],
    properties: {
      id: { $ref: '#/components/schemas/Id' },
      name: { type: 'string', minLength: 1, maxLength: 80 },
      [`only${number}`]: { type: 'number', multipleOf: 0.01 },
      next: { $ref: `#/components/schemas/Thing${number + (number % 10 === 9 ? -9 : 1)}` },
      tags: { type: 'array', maxItems: 10, items: { type: 'string' } },
    },
  };
}
