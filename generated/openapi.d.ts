/**
 * Generated from the contract by `openapi-exact generate`. Do not edit: change the contract and
 * run the command again.
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
         * @description Deletes the single plant identified by `id`. The service answers 204 after the deletion is
         *     durable.
         *
         *     DELETE is idempotent: a second request changes nothing and gets 404. Of concurrent requests for
         *     the same plant, exactly one gets 204.
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
         * @description Identifies a plant: a signed 64-bit integer, in canonical decimal form (without leading zeros,
         *     sign `+`, spaces or exponent).
         *
         *     JavaScript: a `number` rounds integers beyond 2^53 to a neighbour. Use a `bigint` or a string.
         * @example 12
         */
        PlantId: bigint;
        /** @description A plant of the store. */
        Plant: {
            id: components["schemas"]["PlantId"];
        };
        /** @description The body of every error response. */
        Error: {
            /**
             * Format: int32
             * @description A stable code: status × 100 + n. The description of this interface lists all codes.
             * @example 40401
             */
            error: number;
            /**
             * @description What is wrong with the request and how to correct it, as a sentence for people.
             * @example There is no plant with the id 9007199254740993.
             */
            message: string;
        };
    };
    responses: {
        /** @description The request does not match the contract. Nothing was done. */
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request has no valid access token. Nothing was done. */
        Unauthorized: {
            headers: {
                /** @description The challenge of RFC 6750. It has `error="invalid_token"` if the request carried a token. */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The access token lacks a required scope. Nothing was done. */
        Forbidden: {
            headers: {
                /** @description The challenge of RFC 6750, with `error="insufficient_scope"` and the required scopes. */
                "WWW-Authenticate": string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The store has no plant with this id. Nothing was done. */
        PlantNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The database refused to delete the plant, for example because another row refers to it. Nothing was done. */
        PlantInUse: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description A precondition of the request is false (RFC 9110, section 13). Nothing was done. Plants have no
         *     entity tags: `If-Match` is true only for `*`, `If-None-Match` for everything except `*`.
         */
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The request body is too large. Nothing was done. */
        ContentTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The operation does not accept the type or encoding of the request body. Nothing was done. */
        UnsupportedMediaType: {
            headers: {
                /** @description The media types that the operation accepts (RFC 9110, section 15.5.16). */
                Accept?: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description The request line has an https URL, but the request came without TLS (RFC 9110, section 7.4).
         *     Nothing was done.
         */
        MisdirectedRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /**
         * @description Too many authentications from the client's address failed, or the access token exceeded its rate
         *     limit. Nothing was done.
         */
        TooManyRequests: {
            headers: {
                /** @description Seconds to wait before repeating the request (RFC 9110, section 10.2.3). */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The service failed unexpectedly. The outcome is unknown. */
        InternalServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description The store or the identity provider is unavailable, or the service is overloaded. Repeating the request is safe. */
        ServiceUnavailable: {
            headers: {
                /** @description Seconds to wait before repeating the request (RFC 9110, section 10.2.3). */
                "Retry-After": number;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /**
         * @description Identifier of the plant, in canonical decimal form: without leading zeros, sign `+`, spaces or
         *     exponent.
         * @example 12
         */
        PlantIdInPath: components["schemas"]["PlantId"];
    };
    requestBodies: never;
    headers: never;
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
                 * @description Identifier of the plant, in canonical decimal form: without leading zeros, sign `+`, spaces or
                 *     exponent.
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
        security: "required";
    };
}
export interface securitySchemes {
    bearerAuth: "bearer";
}
