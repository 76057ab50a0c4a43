/**
 * @nahkies/typescript-express-runtime. The router has the form in which its generator writes one for this contract; the
 * runtime brings no authentication, so the middleware compares the header.
 */
import { ExpressRuntimeError, RequestInputType } from '@nahkies/typescript-express-runtime/errors';
import { ExpressRuntimeResponse, SkipResponse, startServer } from '@nahkies/typescript-express-runtime/server';
import { parseRequestInput, responseValidationFactory } from '@nahkies/typescript-express-runtime/zod';
import { Router } from 'express';
import { z } from 'zod';
import { openStore } from './one-by-one.mjs';
import { port, token } from './settings.mjs';

const remove = openStore();
const sError = z.object({ error: z.coerce.number(), message: z.string() });

function createRouter(implementation) {
  const router = Router();
  const deletePlantParamSchema = z.object({ id: z.coerce.number() });
  const deletePlantResponseBodyValidator = responseValidationFactory(
    [
      ['204', z.undefined()],
      ['400', sError],
      ['401', sError],
      ['404', sError],
      ['500', sError],
      ['503', sError],
    ],
    undefined,
  );
  router.delete('/plants/:id', async (req, res, next) => {
    try {
      const input = {
        params: parseRequestInput(deletePlantParamSchema, req.params, RequestInputType.RouteParam),
        query: undefined,
        body: undefined,
        headers: undefined,
      };
      const responder = {
        with204: () => new ExpressRuntimeResponse(204),
        with404: () => new ExpressRuntimeResponse(404),
        withStatus: (status) => new ExpressRuntimeResponse(status),
      };
      const response = await implementation.deletePlant(input, responder, req, res, next).catch((err) => {
        throw ExpressRuntimeError.HandlerError(err);
      });
      if (response === SkipResponse) return;
      const { status, body } = response instanceof ExpressRuntimeResponse ? response.unpack() : response;
      res.status(status);
      if (body !== undefined) res.json(deletePlantResponseBodyValidator(status, body));
      else res.end();
    } catch (error) {
      next(error);
    }
  });
  return router;
}

await startServer({
  port,
  // Neither is needed by this contract: the best setting for production.
  cors: 'disabled',
  body: 'disabled',
  middleware: [
    (req, res, next) => {
      if (req.headers.authorization === `Bearer ${token}`) next();
      else res.status(401).json({ error: 40100, message: 'unauthorized' });
    },
  ],
  router: createRouter({
    deletePlant: async ({ params: { id } }, respond) =>
      remove(id) ? respond.with204() : respond.with404().body({ error: 40401, message: 'There is no such plant.' }),
  }),
  errorHandler: (err, req, res, next) => {
    if (res.headersSent) return next(err);
    const status = ExpressRuntimeError.isExpressError(err) && err.phase === 'request_validation' ? 400 : 500;
    res.status(status).json({ error: status * 100, message: err.message });
  },
});
