/**
 * Generated from the contract by `openapi-exact generate`. Do not edit: change the contract and
 * run the command again.
 */

import type { ContractShapes } from 'openapi-exact/client';

/** Where int64s stand in the messages of each operation, for `createClient`. */
export const shapes: ContractShapes = {
  "operations": {
    "DELETE /plants/{id}": {
      "parameters": {
        "path": {
          "id": {
            "$ref": "#/components/schemas/PlantId"
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
        "204": {},
        "400": {
          "application/json": {}
        },
        "401": {
          "application/json": {}
        },
        "403": {
          "application/json": {}
        },
        "404": {
          "application/json": {}
        },
        "409": {
          "application/json": {}
        },
        "412": {
          "application/json": {}
        },
        "421": {
          "application/json": {}
        },
        "429": {
          "application/json": {}
        },
        "500": {
          "application/json": {}
        },
        "503": {
          "application/json": {}
        }
      }
    }
  },
  "schemas": {
    "#/components/schemas/PlantId": {
      "numbers": "int64"
    }
  },
  "securitySchemes": {
    "bearerAuth": {
      "scheme": "Bearer"
    }
  }
};
