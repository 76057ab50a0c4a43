/**
 * Generated from the contract by `openapi-exact generate`. Do not edit: change the contract and
 * run the command again.
 */

export interface paths {
    "/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendMessage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
        query: operations["findMessages"];
    };
    "/messages/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/messages/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["watchMessages"];
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
        Message: {
            /** Format: int64 */
            readonly id?: bigint;
            from: string;
            text: string;
        };
        MessageEvent: {
            id?: string;
            data: string;
        };
        "Message.request": {
            id?: never;
            from: string;
            text: string;
        };
    };
    responses: {
        /** Why the request failed (RFC 9457). */
        Problem: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": Record<string, unknown>;
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    sendMessage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Message.request"];
            };
        };
        responses: {
            /** The message with its id. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"];
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    findMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    from?: string;
                    /** @default [] */
                    words?: string[];
                };
            };
        };
        responses: {
            /** The messages that are from this person and have all of the words. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Message"][];
                };
            };
            default: components["responses"]["Problem"];
        };
        filled: {
            body: {
                "application/json": {
                    names: "words";
                };
            };
        };
    };
    exportMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Each message in a line. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/jsonl": AsyncIterable<components["schemas"]["Message"]>;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
    watchMessages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** An event for each message from now on, until the client leaves. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": AsyncIterable<{
                        id?: string;
                        data: unknown;
                    } & {
                        data: components["schemas"]["Message"];
                    }>;
                };
            };
            default: components["responses"]["Problem"];
        };
    };
}
export type securitySchemes = Record<string, never>;
