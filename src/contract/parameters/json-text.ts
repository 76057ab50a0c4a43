import { parseJson } from '../bodies/json-body.ts';

/** Parses the JSON of a parameter. @throws what `refuse` returns where `parseJson` throws. */
export function parseJsonText(text: string, refuse: () => Error): unknown {
  try {
    return parseJson(text);
  } catch {
    throw refuse();
  }
}
