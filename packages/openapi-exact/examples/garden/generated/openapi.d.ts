/**
 * Generated from the contract by `openapi-exact generate`. Do not edit: change the contract and
 * run the command again.
 */

import type { Decimal } from "../decimal.ts";

export interface paths {
    "/plants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPlants"];
        put?: never;
        post: operations["addPlant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/plants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPlant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["updatePlant"];
        trace?: never;
    };
    "/plants/{id}/photo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPhoto"];
        put: operations["putPhoto"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["watchPlants"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        NewPlant: {
            name: string;
            /** @description In metres. */
            height?: number;
            price?: components["schemas"]["Price"];
        };
        /**
         * Format: decimal
         * @description In euros.
         */
        Price: Decimal;
        Plant: {
            /** Format: int64 */
            readonly id: bigint;
            name: string;
            height?: number;
            price?: components["schemas"]["Price"];
            /** Format: date-time */
            readonly plantedAt: Date;
        };
        /** @description A JSON merge patch (RFC 7396); null removes a property. */
        PlantPatch: {
            name?: string;
            height?: number | null;
        };
    };
    responses: {
        /** @description The plant. */
        Plant: {
            headers: {
                /** @description The version of the plant (RFC 9110, section 8.8.3). */
                ETag: string;
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Plant"];
            };
        };
        /** @description Why the request failed (RFC 9457). */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": {
                    title: string;
                    status: number;
                    detail?: string;
                };
            };
        };
    };
    parameters: {
        Id: bigint;
    };
    requestBodies: never;
    headers: {
        /** @description The version of the plant (RFC 9110, section 8.8.3). */
        ETag: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPlants: {
        parameters: {
            query?: {
                limit?: number;
                /** @description The cursor that the previous page names in Link. */
                after?: bigint;
                /** @description Only plants that were planted then or later. */
                since?: Date;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of plants, by id. */
            200: {
                headers: {
                    /** @description The next page (RFC 8288); absent on the last one. */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plant"][];
                };
            };
            default: components["responses"]["Problem"];
        };
        security: "required";
        filled: {
            query: {
                names: "limit";
            };
        };
    };
    addPlant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPlant"];
            };
        };
        responses: {
            /** @description The plant was added. */
            201: {
                headers: {
                    Location: string;
                    /** @description The version of the plant (RFC 9110, section 8.8.3). */
                    ETag: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Plant"];
                };
            };
            default: components["responses"]["Problem"];
        };
        security: "required";
    };
    getPlant: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: string;
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Plant"];
            /** @description The client has this version. */
            304: {
                headers: {
                    /** @description The version of the plant (RFC 9110, section 8.8.3). */
                    ETag: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
        security: "required";
    };
    updatePlant: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: string;
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/merge-patch+json": components["schemas"]["PlantPatch"];
            };
        };
        responses: {
            200: components["responses"]["Plant"];
            default: components["responses"]["Problem"];
        };
        security: "required";
    };
    getPhoto: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The photo. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                    "image/jpeg": unknown;
                };
            };
            default: components["responses"]["Problem"];
        };
        security: "required";
    };
    putPhoto: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/png": unknown;
                "image/jpeg": unknown;
                "multipart/form-data": {
                    photo: string;
                };
            };
        };
        responses: {
            /** @description The photo was stored. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            default: components["responses"]["Problem"];
        };
        security: "required";
    };
    watchPlants: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description An event for each plant that is added or changed, until the client leaves. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": unknown;
                };
            };
            default: components["responses"]["Problem"];
        };
        security: "required";
    };
}
export interface securitySchemes {
    bearerAuth: "bearer";
    apiKey: "apiKey";
}
export interface formats {
    "date-time": Date;
    "decimal": Decimal;
}
