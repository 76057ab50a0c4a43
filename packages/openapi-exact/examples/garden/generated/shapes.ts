/**
 * Generated from the contract by `openapi-exact generate`. Do not edit: change the contract and
 * run the command again.
 */

import type { ContractShapes } from 'openapi-exact/client';

/** Where int64s stand in the messages of each operation, for `createClient`. */
export const shapes: ContractShapes = {
  "operations": {
    "GET /plants": {
      "parameters": {
        "query": {
          "after": {
            "int64": true
          }
        }
      },
      "body": {},
      "responses": {
        "200": {
          "items": {
            "$ref": "#/components/schemas/Plant"
          }
        }
      }
    },
    "POST /plants": {
      "parameters": {},
      "body": {},
      "responses": {
        "201": {
          "$ref": "#/components/schemas/Plant"
        }
      }
    },
    "GET /plants/{id}": {
      "parameters": {
        "path": {
          "id": {
            "int64": true
          }
        }
      },
      "body": {},
      "responses": {
        "200": {
          "$ref": "#/components/schemas/Plant"
        }
      }
    },
    "PATCH /plants/{id}": {
      "parameters": {
        "path": {
          "id": {
            "int64": true
          }
        }
      },
      "bodyType": "application/merge-patch+json",
      "body": {},
      "responses": {
        "200": {
          "$ref": "#/components/schemas/Plant"
        }
      }
    },
    "GET /plants/{id}/photo": {
      "parameters": {
        "path": {
          "id": {
            "int64": true
          }
        }
      },
      "body": {},
      "responses": {
        "200": {}
      },
      "responseTypes": {
        "200": [
          "image/png",
          "image/jpeg"
        ]
      }
    },
    "PUT /plants/{id}/photo": {
      "parameters": {
        "path": {
          "id": {
            "int64": true
          }
        }
      },
      "bodyType": "image/png",
      "body": {},
      "responses": {
        "204": {}
      }
    },
    "GET /events": {
      "parameters": {},
      "body": {},
      "responses": {
        "200": {}
      },
      "responseTypes": {
        "200": [
          "text/event-stream"
        ]
      }
    }
  },
  "schemas": {
    "#/components/schemas/Plant": {
      "properties": {
        "id": {
          "int64": true
        }
      }
    }
  }
};
