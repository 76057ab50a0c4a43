/**
 * Generated from openapi.yaml by `npm run generate`. Do not edit: change the contract and run the command again.
 */

export interface paths {
    "/plants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a plant
         * @description Deletes the single plant identified by `id`. The answer 204 comes after the deletion is durable.
         *
         *     Deleting twice is harmless: the second request finds nothing and answers 404. Of several requests for the same plant
         *     at the same time, exactly one is answered 204.
         */
        delete: operations["deletePlant"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * Format: int64
         * @description Identifies a plant.
         * @example 12
         */
        PlantId: bigint;
        /** @description A plant of the store. */
        Plant: {
            id: components["schemas"]["PlantId"];
        };
        /** @description What every failure looks like. */
        Error: {
            /**
             * Format: int32
             * @description A stable code, status × 100 + n.
             *
             *     | code | meaning |
             *     |---|---|
             *     | 40000 | The request is no well-formed HTTP. |
             *     | 40001 | A parameter is missing or not as the contract describes it. |
             *     | 40002 | A query parameter is not in the contract. |
             *     | 40003 | The operation takes no request body, but one was sent. |
             *     | 40004 | The URL is malformed, in its percent-encoding for example. |
             *     | 40005 | A header that may be sent once was sent more than once. |
             *     | 40006 | The request body is no well-formed JSON. |
             *     | 40007 | The request body is not as the contract describes it. |
             *     | 40100 | No access token was presented. |
             *     | 40101 | The access token is malformed, unknown, expired or revoked. |
             *     | 40300 | The access token lacks a scope that the operation needs. |
             *     | 40400 | The contract has no such path. |
             *     | 40401 | There is no plant with this id. |
             *     | 40500 | The contract has no such method on this path; Allow lists those it has. |
             *     | 40800 | The request did not arrive in time. |
             *     | 40901 | Something in the database keeps the plant, such as a row that refers to it. |
             *     | 41200 | If-Match or If-None-Match does not hold; nothing was done. |
             *     | 41300 | The request body is too large. |
             *     | 41500 | The request body is of a type or encoding that the operation does not take. |
             *     | 41700 | The Expect header asks for something that the service cannot do. |
             *     | 42100 | The URL is one of https, but the request came without TLS. |
             *     | 42900 | Too many authentications from this address have failed. |
             *     | 42901 | This access token has been used too often. |
             *     | 43100 | The request line and headers are too large or too many. |
             *     | 50000 | The service failed unexpectedly. |
             *     | 50100 | The service knows no such method. |
             *     | 50300 | The store is unavailable; nothing was done. |
             *     | 50301 | The store failed at the commit; the outcome is unknown, repeating is safe. |
             *     | 50302 | The service has too much to do; nothing was done. |
             *     | 50303 | The identity provider is unavailable; nothing was done. |
             * @example 40401
             */
            error: number;
            /**
             * @description What was wrong with this request and what would be right, in a sentence for people.
             * @example There is no plant with the id 9007199254740993.
             */
            message: string;
        };
    };
    responses: {
        /** @description The request is not what the contract describes. Nothing was done. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description No valid token was presented. Nothing was done. */
        Unauthorized: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The token is valid, but lacks a scope that is needed. Nothing was done. */
        Forbidden: {
            headers: {
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The store holds no plant with this id. Nothing was done. */
        PlantNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Something in the database keeps the plant, such as a row that refers to it. It was not deleted. */
        PlantInUse: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description A precondition of the request does not hold (RFC 9110, section 13). Nothing was done. A plant has no entity tag, so that
         *     `If-Match` holds for `*` alone, and `If-None-Match` for everything else.
         */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request line has a URL of https, but the request came without TLS (RFC 9110, section 7.4). Nothing was done. */
        MisdirectedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Too many authentications from the client's address have failed, or the token has been used too often. Nothing was done. */
        TooManyRequests: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service failed in a way it did not foresee. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The store, or the identity provider, cannot be reached at the moment. Repeating the request is safe. */
        ServiceUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Identifier of the plant: a canonical decimal integer, without leading zeros, sign `+`, spaces or exponent.
         * @example 12
         */
        PlantIdInPath: components["schemas"]["PlantId"];
    };
    requestBodies: never;
    headers: {
        /**
         * @description The challenge of RFC 6750. It carries `error="invalid_token"` when a token was presented and refused, and
         *     `error="insufficient_scope"` with the scopes that are needed when a valid one lacks some.
         */
        "WWW-Authenticate": string;
        /** @description Seconds to wait before the request is repeated (RFC 9110, section 10.2.3). */
        "Retry-After": number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    deletePlant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description Identifier of the plant: a canonical decimal integer, without leading zeros, sign `+`, spaces or exponent.
                 * @example 12
                 */
                id: components["parameters"]["PlantIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The plant is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["PlantNotFound"];
            409: components["responses"]["PlantInUse"];
            412: components["responses"]["PreconditionFailed"];
            421: components["responses"]["MisdirectedRequest"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["InternalServerError"];
            503: components["responses"]["ServiceUnavailable"];
        };
    };
}
