import { InvalidArgumentError } from 'commander';
import { INT64_DESCRIPTION, parseInt64 } from '../contract/numbers/int64.ts';

/** Parses a plant's id. @throws InvalidArgumentError when it is not canonical. */
export function parseId(text: string): bigint {
  const id = parseInt64(text);
  if (id === undefined) throw new InvalidArgumentError(`An id is ${INT64_DESCRIPTION}.`);
  return id;
}
