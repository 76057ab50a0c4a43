import { InvalidArgumentError } from 'commander';
import { describeInt64, parseInt64 } from '../contract/numbers/int64.ts';

/** Reads the id of a plant from the command line. @throws InvalidArgumentError when it is not canonical. */
export function parseId(text: string): bigint {
  const id = parseInt64(text);
  if (id === undefined) throw new InvalidArgumentError(`An id is ${describeInt64()}.`);
  return id;
}
