/**
 * Generated from the contract by `openapi-exact generate`. Do not edit: change the contract and
 * run the command again.
 */

import type { ContractShapes } from 'openapi-exact/client';

/** Where int64s stand in the messages of each operation, for `createClient`. */
export const shapes: ContractShapes = {
  "operations": {
    "POST /messages": {
      "parameters": {},
      "body": {
        "application/json": {
          "$ref": "#/components/schemas/Message"
        }
      },
      "responses": {
        "201": {
          "application/json": {
            "$ref": "#/components/schemas/Message"
          }
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    },
    "QUERY /messages": {
      "parameters": {},
      "body": {
        "application/json": {}
      },
      "responses": {
        "200": {
          "application/json": {
            "items": {
              "$ref": "#/components/schemas/Message"
            }
          }
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    },
    "GET /messages/export": {
      "parameters": {},
      "body": {},
      "responses": {
        "200": {
          "application/jsonl": {
            "sequence": "lines",
            "items": {
              "$ref": "#/components/schemas/Message"
            }
          }
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    },
    "GET /messages/events": {
      "parameters": {},
      "body": {},
      "responses": {
        "200": {
          "text/event-stream": {
            "sequence": "events",
            "jsonData": "all",
            "items": {
              "allOf": [
                {
                  "properties": {
                    "data": {
                      "$ref": "#/components/schemas/Message"
                    }
                  }
                }
              ]
            }
          }
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    }
  },
  "schemas": {
    "#/components/schemas/Message": {
      "properties": {
        "id": {
          "numbers": "int64"
        }
      }
    }
  }
};
