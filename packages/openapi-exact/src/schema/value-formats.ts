import { isBigint } from './bigint.ts';
import type { Schema } from './openapi-document.ts';

/** The formats of a schema's own values that are not as JSON has them, by their JSON type. */
export interface ValueFormats {
  readonly numbers?: string;
  readonly texts?: string;
}

/** Tells the formats of a schema's own values. */
export type FormatsOf = (schema: Schema) => ValueFormats;

/** The format of an integer that a bound or a constant allows beyond 2^53. */
export const LARGE_INTEGER = 'integer';

const BIGINT_FORMATS: readonly string[] = ['int64', 'uint64'];

/** Formats that the OpenAPI Format Registry and JSON Schema have for texts alone. */
const FORMATS_OF_TEXTS =
  /^(?:date|time|duration|uri|iri|uuid|ipv[46]$|idn-|email|hostname|regex|json-pointer|byte|binary)/;

const NONE: ValueFormats = {};

/** The formats of bigints: the built-in ones. */
export function bigintFormats(schema: Schema): ValueFormats {
  const { format } = schema;
  if (!isBigint(schema)) return NONE;
  return { numbers: format !== undefined && BIGINT_FORMATS.includes(format) ? format : LARGE_INTEGER };
}

/** The custom formats of a schema's own values. Without `type`, they apply to texts and numbers. */
export function customFormatsOf({ type, format = '' }: Schema, custom: Pick<ReadonlySet<string>, 'has'>): ValueFormats {
  if (!custom.has(format)) return NONE;
  const types = type === undefined ? untypedFormat(format) : [type].flat();
  return {
    ...(types.some((name) => name === 'number' || name === 'integer') ? { numbers: format } : {}),
    ...(types.includes('string') ? { texts: format } : {}),
  };
}

function untypedFormat(format: string): readonly string[] {
  if (BIGINT_FORMATS.includes(format)) return ['number'];
  return FORMATS_OF_TEXTS.test(format) ? ['string'] : ['string', 'number'];
}

/** True for a schema whose own values have a format. */
export function hasFormat({ numbers, texts }: ValueFormats): boolean {
  return numbers !== undefined || texts !== undefined;
}
