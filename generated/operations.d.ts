/**
 * Generated from openapi.yaml by `npm run generate`. Do not edit: change the contract and run the
 * command again.
 */
import type { OperationShape, Shape } from '../packages/openapi-exact/src/client/shape.ts';
/** The operations, by method and path template. */
export declare const OPERATIONS: Readonly<Record<string, OperationShape>>;
/** The shapes that others refer to, by pointer. */
export declare const SCHEMAS: Readonly<Record<string, Shape>>;
