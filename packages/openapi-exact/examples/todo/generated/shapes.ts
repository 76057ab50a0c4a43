/**
 * Generated from the contract by `openapi-exact generate`. Do not edit: change the contract and
 * run the command again.
 */

import type { ContractShapes } from 'openapi-exact/client';

/** Where int64s stand in the messages of each operation, for `createClient`. */
export const shapes: ContractShapes = {
  "operations": {
    "GET /todos/{id}": {
      "parameters": {
        "path": {
          "id": {
            "numbers": "int64"
          }
        }
      },
      "security": [
        [
          "bearerAuth"
        ]
      ],
      "body": {},
      "responses": {
        "200": {
          "application/json": {
            "$ref": "#/components/schemas/Todo"
          }
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    }
  },
  "schemas": {
    "#/components/schemas/Todo": {
      "properties": {
        "id": {
          "numbers": "int64"
        }
      }
    }
  },
  "securitySchemes": {
    "bearerAuth": {
      "scheme": "Bearer"
    }
  }
};
