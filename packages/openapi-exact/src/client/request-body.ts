import { exactJson } from './exact-json.ts';
import { declaredType, isJson, isRange } from './media-type.ts';
import { requireExact } from './require-exact.ts';
import type { ContractShapes, OperationShape } from './shape.ts';

/** A body for `fetch`, and its Content-Type; null leaves the type to `fetch`. */
interface SendableBody {
  readonly body: NonNullable<RequestInit['body']> | null;
  readonly type: string | null;
}

/** The body of a call, and the option that says of which media type it is. */
export interface GivenBody {
  readonly body?: unknown;
  readonly contentType?: string;
}

/**
 * Serializes the body of a call: JSON for a JSON type; other bodies are sent as they are.
 * @throws TypeError for a media type that is not declared, or that is needed to know which one of
 * several the body has, and what `requireExact` throws.
 */
export function requestBodyOf(
  name: string,
  { body: shapes }: OperationShape,
  { schemas }: ContractShapes,
  { body, contentType }: GivenBody,
): SendableBody {
  if (body === undefined) return { body: null, type: null };
  const isForm = body instanceof FormData || body instanceof URLSearchParams;
  // fetch knows the type, and the boundary.
  if (isForm) return { body, type: null };
  const types = Object.keys(shapes);
  const type = contentType ?? (body instanceof Blob && body.type !== '' ? body.type : soleType(types));
  const declared = type === undefined ? undefined : declaredType(types, type);
  if (type === undefined || isRange(type) || (contentType !== undefined && declared === undefined)) {
    throw unknownType(name, types, contentType);
  }
  if (isJson(type) && !(body instanceof Blob)) {
    requireExact(body, shapes[declared ?? type] ?? {}, schemas, 'body');
    return { body: exactJson(body), type };
  }
  // Safe: fetch turns what it does not know into a text.
  return { body: body as NonNullable<RequestInit['body']>, type };
}

/** The type of a body that names none: the only one, or the only one of JSON. */
function soleType(types: readonly string[]): string | undefined {
  const json = types.filter(isJson);
  const [type, ...others] = json.length > 0 ? json : types;
  return others.length === 0 ? type : undefined;
}

function unknownType(name: string, types: readonly string[], contentType: string | undefined): TypeError {
  const wrong = contentType === undefined ? 'needs the option contentType' : `has no body of the type '${contentType}'`;
  return new TypeError(`${name} ${wrong}: its types are ${types.join(', ') || 'none'}.`);
}
