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
          "application/json": {
            "items": {
              "$ref": "#/components/schemas/Plant"
            }
          }
        }
      }
    },
    "POST /plants": {
      "parameters": {},
      "body": {
        "application/json": {}
      },
      "responses": {
        "201": {
          "application/json": {
            "$ref": "#/components/schemas/Plant"
          }
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
          "application/json": {
            "$ref": "#/components/schemas/Plant"
          }
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
      "body": {
        "application/merge-patch+json": {}
      },
      "responses": {
        "200": {
          "application/json": {
            "$ref": "#/components/schemas/Plant"
          }
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
        "200": {
          "image/png": {},
          "image/jpeg": {}
        }
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
      "body": {
        "image/png": {},
        "image/jpeg": {},
        "multipart/form-data": {}
      },
      "responses": {
        "204": {}
      }
    },
    "GET /events": {
      "parameters": {},
      "body": {},
      "responses": {
        "200": {
          "text/event-stream": {}
        }
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
