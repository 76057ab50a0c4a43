import type { Fault } from './fault.ts';

const UNAUTHORIZED = '      description: The request has no valid access token. Nothing was done.\n';
const CHALLENGE = `      headers:
        WWW-Authenticate:
          description: |
            The challenge of RFC 6750. It has \`error="invalid_token"\` if the request carried a token.
          required: true
          schema:
            type: string
            example: Bearer realm="plant-store"
`;
const UNAVAILABLE = 'or the service is overloaded. Repeating the request is safe.\n';
const RETRY_AFTER = `      headers:
        Retry-After:
          description: Seconds to wait before repeating the request (RFC 9110, section 10.2.3).
          required: true
          schema:
            type: integer
            format: int32
            minimum: 0
            example: 1
`;

/** Faults of the contract, each of which has to be noticed before it is merged, regenerated files and all. */
export const CONTRACT_FAULTS: readonly Fault[] = [
  fault(
    'a status that the server answers with is removed',
    "        '404':\n          $ref: '#/components/responses/PlantNotFound'\n",
    '',
  ),
  fault('a status becomes another', "        '404':\n", "        '410':\n"),
  fault(
    'a status that no code answers with is added',
    "        '503':\n",
    "        '409':\n          $ref: '#/components/responses/PlantNotFound'\n        '503':\n",
  ),
  fault(
    'a status that the suite derives by itself is added',
    "        '503':\n",
    "        '413':\n          $ref: '#/components/responses/BadRequest'\n        '503':\n",
  ),
  fault('204 becomes 200', "        '204':\n", "        '200':\n"),
  fault(
    'the id is a string',
    'type: integer\n      format: int64\n      example: 12\n',
    "type: string\n      example: '12'\n",
  ),
  fault('the id is an int32', 'format: int64', 'format: int32'),
  fault('the id has no format', '      format: int64\n', ''),
  fault('the id has a minimum', 'format: int64\n', 'format: int64\n      minimum: 1\n'),
  fault('the operationId is renamed', 'operationId: deletePlant', 'operationId: removePlant'),
  fault('the operationId is left out', '      operationId: deletePlant\n', ''),
  fault('security is dropped', 'security:\n  - bearerAuth: []\n', ''),
  fault('security asks for nothing', 'security:\n  - bearerAuth: []\n', 'security: []\n'),
  fault(
    'the operation asks for no security',
    '      operationId: deletePlant\n',
    '      operationId: deletePlant\n      security: []\n',
  ),
  fault('security is optional', 'security:\n  - bearerAuth: []\n', 'security:\n  - bearerAuth: []\n  - {}\n'),
  fault('security asks for a scheme that there is not', '  - bearerAuth: []\n', '  - apiKey: []\n'),
  fault('the scheme is renamed', '    bearerAuth:\n', '    bearer:\n'),
  fault('a required field of Error is dropped', '        - error\n        - message\n', '        - message\n'),
  fault(
    'Error requires a field that it does not have',
    '        - error\n        - message\n',
    '        - code\n        - message\n',
  ),
  fault(
    'Error.error is a string',
    'type: integer\n          format: int32\n          example: 40401',
    "type: string\n          example: '40401'",
  ),
  fault('Error.message is optional', '        - error\n        - message\n', '        - error\n'),
  fault('the path is renamed', '  /plants/{id}:\n', '  /plant/{id}:\n'),
  fault('the parameter of the path is renamed', '  /plants/{id}:\n', '  /plants/{plantId}:\n'),
  fault('the method is another', '    delete:\n', '    post:\n'),
  fault('a base path is added', 'url: http://127.0.0.1:3000\n', 'url: http://127.0.0.1:3000/v2\n'),
  fault(
    'a response is without content',
    `      content:
        application/json:
          schema:
            $ref: '#/components/schemas/Error'
          examples:
            plantNotFound:
              summary: No such plant
              value:
                error: 40401
                message: There is no plant with the id 9007199254740993.
`,
    '',
  ),
  fault(
    '204 has content',
    '          description: The plant is deleted.\n',
    "          description: The plant is deleted.\n          content:\n            application/json:\n              schema:\n                $ref: '#/components/schemas/Plant'\n",
  ),
  fault('a reference leads to nothing', "responses/PlantNotFound'", "responses/NoSuchPlant'"),
  fault('an example contradicts its schema', 'error: 40001', "error: '40001'"),
  fault(
    'an example of a parameter contradicts its schema',
    '      example: 12\n  responses:',
    '      example: twelve\n  responses:',
  ),
  fault('WWW-Authenticate is dropped', UNAUTHORIZED + CHALLENGE, UNAUTHORIZED),
  fault('Retry-After is dropped', UNAVAILABLE + RETRY_AFTER, UNAVAILABLE),
  fault(
    'WWW-Authenticate is optional',
    UNAUTHORIZED + CHALLENGE,
    UNAUTHORIZED + CHALLENGE.replace('required: true', 'required: false'),
  ),
  fault(
    'Retry-After is optional',
    UNAVAILABLE + RETRY_AFTER,
    UNAVAILABLE + RETRY_AFTER.replace('required: true', 'required: false'),
  ),
  fault(
    'a header is required that the server does not send',
    `${UNAUTHORIZED}      headers:\n`,
    `${UNAUTHORIZED}      headers:\n        X-Trace:\n          required: true\n          schema:\n            type: string\n            example: x\n`,
  ),
  fault(
    'a query parameter is required that clients do not send',
    "        - $ref: '#/components/parameters/PlantIdInPath'\n",
    "        - $ref: '#/components/parameters/PlantIdInPath'\n        - name: reason\n          in: query\n          required: true\n          schema:\n            type: string\n            example: dead\n",
  ),
  fault(
    'a request body is required',
    "      responses:\n        '204'",
    "      requestBody:\n        required: true\n        content:\n          application/json:\n            schema:\n              $ref: '#/components/schemas/Plant'\n      responses:\n        '204'",
  ),
  fault('a type of JSON Schema is misspelt', 'type: integer\n      format: int64', 'type: integr\n      format: int64'),
  fault('a row is removed from the table of error codes', '    | 40401 | There is no plant with this id. |\n', ''),
  fault('the YAML does not parse', 'info:\n', 'info: [}\n'),
];

function fault(name: string, from: string, to: string): Fault {
  return { name, file: 'openapi.yaml', from, to, tests: ['test/contract', 'test/errors.test.ts'] };
}
