import type { ResponseValidator } from 'express-openapi-validator/dist/middlewares/openapi.response.validator.js';
import type { Method } from '../document/openapi-document.ts';
import { MEDIA_TYPE, PATH } from './validation-document.ts';

/** Checks the JSON body of a response. @throws the validator's own errors. */
export type ResponseCheck = (status: number, body: unknown) => void;

/** What ResponseValidator makes for each media type of a status; nothing for a status without content. */
type Validators = Readonly<Record<string, Readonly<Record<string, (value: { response: unknown }) => unknown>>>>;

/**
 * The check of an operation's responses.
 * @param responses as the preprocessor has left them.
 * @param representatives of them, as `representativeOf` gives them.
 */
export function createResponseCheck(
  validator: ResponseValidator,
  method: Method,
  responses: NonNullable<Parameters<ResponseValidator['_getOrBuildValidator']>[1]>,
  representatives: ReadonlyMap<string, string>,
): ResponseCheck {
  // This and _validate are public there for its own tests only: its versions are bounded in package.json. It reads the method and the route.
  const request = { method, headers: {}, openapi: { expressRoute: PATH } } as never;
  const distinct = Object.entries(responses).filter(([status]) => representatives.get(status) === status);
  const made = validator._getOrBuildValidator(request, Object.fromEntries(distinct));
  const validators: typeof made = {};
  for (const [status, representative] of representatives) {
    const one = made[representative];
    // One that is missing is refused below as a status that is not declared.
    if (one !== undefined) validators[status] = one;
  }
  // Its type leaves out the media types, which _validate looks up as is done here.
  const checks = validators as unknown as Partial<Validators>;
  return (statusCode, body) => {
    // What passes here would pass there, behind the parsing of the media type: 1.8 µs in place of 0.05, in a loop of nothing else.
    // test/contract/respond.test.ts guards what is refused.
    if (body !== undefined && body !== null && checks[statusCode]?.[MEDIA_TYPE]?.({ response: body }) === true) return;
    // Its type wants an object, and it checks whatever JSON has. Asked for no type it takes the only one there is.
    validator._validate({ validators, statusCode, body: body as object, path: PATH, accepts: [] });
  };
}

/**
 * The first status whose response is the same, for each status of an operation: they share its validator. Most describe the same error, and to
 * compile it for each of them took a twelfth of a start (`npm run bench -- --only start`).
 */
export function representativeOf(responses: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const first = new Map<string, string>();
  return new Map(
    Object.entries(responses).map(([status, response]) => {
      const text = JSON.stringify(response);
      const representative = first.get(text) ?? status;
      first.set(text, representative);
      return [status, representative];
    }),
  );
}
