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
      "body": {},
      "responses": {
        "204": {}
      }
    }
  },
  "schemas": {
    "#/components/schemas/PlantId": {
      "int64": true
    }
  }
};
