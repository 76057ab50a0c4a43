import { schemaOf, textOf, type Json, type JsonObject } from 'openapi-exact-cli/examples';
import type { Operation } from 'openapi-exact';
import { bodyObject, itemPath, nameInMessages, namesIn } from './resources.ts';
import { bodyOf, parametersOf, schemas, type RequestValues } from './wire.ts';

/** A request to create something with the id of this number, where clients choose the id. */
export function withFreshId(operation: Operation, values: RequestValues, number: number): RequestValues {
  return operation.method === 'PUT' ? inPath(operation, values, number) : inBody(operation, values, number);
}

function inPath(operation: Operation, values: RequestValues, number: number): RequestValues {
  const params: Record<string, unknown> = { ...values.params };
  for (const parameter of parametersOf(operation)) {
    if (parameter.in !== 'path') continue;
    const judge = schemas.request.judge(schemaOf(parameter));
    // The values of a request are typed by the contract, which knows only values of JSON.
    const value = params[parameter.name] as Json | undefined;
    params[parameter.name] = idsLike(value, number).find((id) => judge(id) === undefined) ?? value;
  }
  return { ...values, params };
}

function inBody(operation: Operation, values: RequestValues, number: number): RequestValues {
  const body: JsonObject = bodyObject(values.body);
  const [parameter = ''] = namesIn((itemPath(operation) ?? '').slice(operation.path.length));
  const name = nameInMessages(parameter, [parameter], body);
  if (name === undefined) return values;
  const judge = schemas.request.judge(bodyOf(operation).content?.['schema'] ?? {});
  const bodies = idsLike(body[name], number).map((id) => ({ ...body, [name]: id }));
  return { ...values, body: bodies.find((candidate) => judge(candidate) === undefined) ?? body };
}

/** Neighbours beyond 2^53 where the schema allows them. */
function idsLike(value: Json | undefined, number: number): Json[] {
  return [2n ** 53n + BigInt(number), 1_000 + number, `${textOf(value)}-${number}`, `${textOf(value)}${number}`];
}
