import type { Service } from '../../support/service.ts';

/** What a fixture says of a request: exact values, as the contract types them. */
export interface TypedRequest<Op extends OperationType> {
  readonly params?: Op['parameters']['path'];
  readonly query?: Op['parameters']['query'];
  readonly headers?: Op['parameters']['header'];
  readonly body?: Op extends { requestBody?: { content: { 'application/json': infer Body } } } ? Body : never;
}

interface OperationType {
  parameters: { path?: unknown; query?: unknown; header?: unknown };
  responses: object;
}

/** Brings a service into a state, and returns the request that is answered with a certain status in that state. */
export type Scenario<Op extends OperationType> = (service: Service) => TypedRequest<Op> | Promise<TypedRequest<Op>>;

/** Statuses that follow from the contract alone: the suite brings them about by itself. */
type Derived = 400 | 401 | 413 | 415;

/** For every operation, a scenario for each status that needs one. A missing one does not compile. */
export type Fixtures<Operations> = {
  readonly [Id in keyof Operations]: Operations[Id] extends OperationType
    ? Readonly<Record<Exclude<keyof Operations[Id]['responses'], Derived>, Scenario<Operations[Id]>>>
    : never;
};
