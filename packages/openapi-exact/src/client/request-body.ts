import { exactJson } from './exact-json.ts';
import type { OperationShape } from './shape.ts';

/** A body for `fetch`, and its Content-Type; null leaves the type to `fetch`. */
interface SendableBody {
  readonly body: unknown;
  readonly type: string | null;
}

const JSON_BODY = /[/+]json *(?:;|$)/i;

/** Serializes the body of a call: JSON for a JSON type; other bodies are sent as they are. */
export function requestBodyOf({ bodyType = 'application/json' }: OperationShape, body: unknown): SendableBody {
  if (body === undefined) return { body, type: null };
  if (body instanceof FormData || body instanceof URLSearchParams) return { body, type: null };
  if (body instanceof Blob) return { body, type: body.type === '' ? bodyType : body.type };
  return JSON_BODY.test(bodyType) ? { body: exactJson(body), type: bodyType } : { body, type: bodyType };
}
