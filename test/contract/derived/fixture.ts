import type { Service } from '../../support/service.ts';

interface OperationType {
  parameters: { path?: unknown; query?: unknown; header?: unknown };
  responses: object;
}

type Json<Content> =
  NonNullable<Content> extends { content: infer Types } ? Types[keyof Types & `${string}json`] : never;

/** JSON where the operation takes it, as the tests prefer it, or else a text. */
type Sent<Body> = [Json<Body>] extends [never] ? string : Json<Body>;

/** The exact values of a request, as the contract types them, and what is expected then. */
interface Expectation<Op extends OperationType, Status extends keyof Op['responses']> {
  readonly params?: Op['parameters']['path'];
  readonly query?: Op['parameters']['query'];
  readonly headers?: Op['parameters']['header'];
  readonly body?: Op extends { requestBody?: infer Body } ? Sent<Body> : never;
  /** The JSON of the answer where the test shall compare it, number by number. */
  readonly answer?: Json<Op['responses'][Status]>;
  /** The plants that the store holds afterwards, ascending, where the request changes them. */
  readonly plants?: readonly bigint[];
}

/**
 * Brings a service into a state, and returns the request that is answered with a certain status in
 * that state.
 */
export type Scenario<Op extends OperationType, Status extends keyof Op['responses']> = (
  service: Service,
) => Expectation<Op, Status> | Promise<Expectation<Op, Status>>;

/** Statuses that follow from the contract alone: the suite brings them about by itself. */
const DERIVED: ReadonlySet<string> = new Set(['400', '401', '403', '412', '413', '415', '421', '429']);

/** Whether the contract alone brings about a status. */
export function isDerived(status: string): boolean {
  return DERIVED.has(status);
}

/**
 * By operation and status, what the examples of the contract cannot say: a state that must exist
 * first, or the answer that is expected then.
 */
export type Fixtures<Operations> = {
  readonly [Id in keyof Operations]?: Operations[Id] extends OperationType
    ? { readonly [Status in Extract<keyof Operations[Id]['responses'], number>]?: Scenario<Operations[Id], Status> }
    : never;
};
