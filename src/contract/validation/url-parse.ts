import { setImmediate as endOfTurn } from 'node:timers/promises';
import { parse } from 'node:url';

/**
 * Lets Node give its warning of the deprecated `url.parse`, unseen. Until it was given, Node 24 looks at the stack in each call from
 * a dependency, whether it should warn, and express-openapi-validator reads each query with it: 1.9 µs in place of 0.06, a fifth of the
 * contract layer's time (`npm run bench -- --only contract --node 24`). In the bundle it is no dependency: there the warning would be shown.
 */
export function warnOfUrlParse(): Promise<void> {
  return (warned ??= warn());
}

let warned: Promise<void> | undefined;

async function warn(): Promise<void> {
  const { noDeprecation } = process;
  process.noDeprecation = true;
  // Called by Node itself: where this package is a dependency, a call from here would not warn either.
  // oxlint-disable-next-line typescript/no-deprecated -- that is the point
  process.nextTick(parse, '');
  await endOfTurn();
  process.noDeprecation = noDeprecation ?? false;
}
