import type { Operation } from '../document/read-contract.ts';
import { STATUSES, type Reason } from '../errors/errors.ts';

/** A status that this library answers itself, and one of its reasons. */
export type OwnFailure = readonly [status: number, reason: Reason];

/** The failures that this library answers for an operation, each with one of its reasons. */
export function ownFailures({ parameters, requestBody, security, responses }: Operation): readonly OwnFailure[] {
  const isChoice = Object.values(responses).some(({ content = {} }) => Object.keys(content).length > 1);
  const reasons: Reason[] = [
    parameters.length > 0 ? 'invalidParameter' : 'malformedUrl',
    ...(security.length > 0 ? (['noCredentials'] as const) : []),
    ...(isChoice ? (['notAcceptable'] as const) : []),
    ...(requestBody === undefined ? [] : (['bodyTooLarge', 'unsupportedMediaType', 'overloaded'] as const)),
    'internal',
  ];
  return reasons.map(ownFailure);
}

/** Failures that need a rare header or verifier: an operation need not declare their statuses. */
const RARE: readonly Reason[] = ['insufficientScope', 'preconditionFailed'];

/** The failures whose bodies are as the operation declares them, if it does. */
export function answeredFailures(operation: Operation): readonly OwnFailure[] {
  return [...ownFailures(operation), ...RARE.map(ownFailure)];
}

/** A failure with the status of its reason. */
export function ownFailure(reason: Reason): OwnFailure {
  return [STATUSES[reason], reason];
}
