/**
 * Generated from openapi.yaml by `npm run generate`. Do not edit: change the contract and run the command again.
 */

export const OPERATIONS = {
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
};

export const SCHEMAS = {
  "#/components/schemas/PlantId": {
    "int64": true
  }
};
