/** The text of a contract of todos with these paths. */
export function todoContract(
  paths: string,
  schemas = '{ Todo: { type: object, properties: { id: { type: integer } } } }',
): string {
  return `openapi: 3.1.0
info: { title: Todos, version: 1.0.0 }
security: [{ bearerAuth: [] }]
paths:
${paths}
components:
  securitySchemes: { bearerAuth: { type: http, scheme: bearer } }
  schemas: ${schemas}
`;
}

/** The content of a body with a todo. */
export const TODO = "content: { application/json: { schema: { $ref: '#/components/schemas/Todo' } } }";
/** A response for any status. */
export const DEFAULT = 'default: { description: Any other. }';
/** A contract without a mistake. */
export const GOOD = todoContract(`  /todos/{id}:
    get:
      operationId: getTodo
      parameters: [{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }]
      responses: { '200': { description: The todo., ${TODO} }, ${DEFAULT} }`);
