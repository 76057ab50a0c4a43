import type { Formats } from 'openapi-exact/client';
import { Decimal } from './decimal.ts';
import type { formats as FormatTypes } from './generated/openapi.d.ts';

/** The values of the contract's formats, for the service and its clients. */
export const formats: Formats<FormatTypes> = {
  'date-time': { decode: (text) => new Date(text), encode: (date) => date.toISOString() },
  decimal: { decode: (text) => Decimal.parse(text), encode: (decimal) => decimal.toString() },
};
