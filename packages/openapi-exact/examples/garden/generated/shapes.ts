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
            "numbers": "int64"
          },
          "since": {
            "texts": "date-time"
          }
        }
      },
      "security": [
        [
          "bearerAuth"
        ],
        [
          "apiKey"
        ]
      ],
      "body": {},
      "responses": {
        "200": {
          "application/json": {
            "items": {
              "$ref": "#/components/schemas/Plant"
            }
          }
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    },
    "POST /plants": {
      "parameters": {},
      "security": [
        [
          "bearerAuth"
        ],
        [
          "apiKey"
        ]
      ],
      "body": {
        "application/json": {
          "$ref": "#/components/schemas/NewPlant"
        }
      },
      "responses": {
        "201": {
          "application/json": {
            "$ref": "#/components/schemas/Plant"
          }
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    },
    "GET /plants/{id}": {
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
        ],
        [
          "apiKey"
        ]
      ],
      "body": {},
      "responses": {
        "200": {
          "application/json": {
            "$ref": "#/components/schemas/Plant"
          }
        },
        "304": {},
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    },
    "PATCH /plants/{id}": {
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
        ],
        [
          "apiKey"
        ]
      ],
      "body": {
        "application/merge-patch+json": {}
      },
      "responses": {
        "200": {
          "application/json": {
            "$ref": "#/components/schemas/Plant"
          }
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    },
    "GET /plants/{id}/photo": {
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
        ],
        [
          "apiKey"
        ]
      ],
      "body": {},
      "responses": {
        "200": {
          "image/png": {},
          "image/jpeg": {}
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    },
    "PUT /plants/{id}/photo": {
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
        ],
        [
          "apiKey"
        ]
      ],
      "body": {
        "image/png": {},
        "image/jpeg": {},
        "multipart/form-data": {}
      },
      "responses": {
        "204": {},
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    },
    "GET /events": {
      "parameters": {},
      "security": [
        [
          "bearerAuth"
        ],
        [
          "apiKey"
        ]
      ],
      "body": {},
      "responses": {
        "200": {
          "text/event-stream": {}
        },
        "DEFAULT": {
          "application/problem+json": {}
        }
      }
    }
  },
  "schemas": {
    "#/components/schemas/Plant": {
      "properties": {
        "id": {
          "numbers": "int64"
        },
        "price": {
          "$ref": "#/components/schemas/Price"
        },
        "plantedAt": {
          "texts": "date-time"
        }
      }
    },
    "#/components/schemas/Price": {
      "texts": "decimal"
    },
    "#/components/schemas/NewPlant": {
      "properties": {
        "price": {
          "$ref": "#/components/schemas/Price"
        }
      }
    }
  },
  "formats": {
    "date-time": "Date",
    "decimal": "Decimal"
  },
  "securitySchemes": {
    "bearerAuth": {
      "scheme": "Bearer"
    },
    "apiKey": {
      "in": "header",
      "name": "X-Api-Key"
    }
  }
};
