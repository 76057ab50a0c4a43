// Reads JSON without rounding its numbers.
/* global LosslessJSON */

/** Whether this browser's own parser tells the text of each number (since 2025 all do). */
const HAS_SOURCE = JSON.parse('1', (_, value, context) => context?.source) === '1';

/**
 * The value of a JSON text, with a LosslessNumber for each number. The browser's own parser takes a
 * third of the time that lossless-json needs: a large contract has megabytes.
 * @throws SyntaxError for a text that is not JSON.
 */
export function parseExact(text) {
  return HAS_SOURCE ? JSON.parse(text, exactNumber) : LosslessJSON.parse(text);
}

function exactNumber(_, value, { source }) {
  return typeof value === 'number' ? new LosslessJSON.LosslessNumber(source) : value;
}
