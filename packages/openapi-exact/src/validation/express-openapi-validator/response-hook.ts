import type { middleware } from 'express-openapi-validator';

/** A middleware of express-openapi-validator. */
export type ValidatorStep = ReturnType<typeof middleware>[number];

/** Judges a body as a response with a status. @returns the error; undefined for a valid body. */
export type ResponseHook = (status: number, body: unknown) => Error | undefined;

/**
 * Captures the check that express-openapi-validator puts in front of `response.json`. Its
 * middlewares run once on plain objects; the method they replace then checks any number of bodies.
 * @param chain its middlewares. @param place of the operation in the validator's document.
 * @throws the validator's error when it cannot compile the schemas.
 */
export async function responseHook(
  chain: readonly ValidatorStep[],
  { path, method }: { readonly path: string; readonly method: string },
): Promise<ResponseHook> {
  // What it reads and sets of an Express request.
  const app = { enabled: () => true };
  const request = { path, originalUrl: path, method, baseUrl: '', headers: {}, query: {}, params: {}, app };
  let verdict: Error | undefined = NOT_CHECKED;
  // What it reads and replaces of an Express response; `json` is called for a valid body.
  const response = {
    statusCode: 200,
    headersSent: false,
    getHeaders: () => ({}),
    json: (_body: unknown): void => {
      verdict = undefined;
    },
  };
  for (const step of chain) {
    await new Promise<void>((resolve, reject) => {
      // The objects have all that the validator reads of a request and a response.
      void step(request as never, response as never, (failure?: unknown) => {
        // It passes errors only: the last middleware each later verdict, too.
        verdict = failure as Error | undefined;
        if (verdict === undefined) resolve();
        else reject(verdict);
      });
    });
  }
  // The validator puts the first method back at each call.
  const check = response.json;
  return (status, body) => {
    response.statusCode = status;
    verdict = NOT_CHECKED;
    check.call(response, body);
    return verdict;
  };
}

const NOT_CHECKED = new Error('express-openapi-validator has not checked the message.');
