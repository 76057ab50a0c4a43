/**
 * @nahkies/typescript-express-runtime. The router does what its generator writes for this contract;
 * the runtime brings no authentication, so the middleware compares the header.
 */
import { ExpressRuntimeError, RequestInputType } from '@nahkies/typescript-express-runtime/errors';
import { ExpressRuntimeResponse, startServer } from '@nahkies/typescript-express-runtime/server';
import { parseRequestInput, responseValidationFactory } from '@nahkies/typescript-express-runtime/zod';
import { Router } from 'express';
import { z } from 'zod';
import { openStore } from './store.mjs';
import { port, token } from './settings.mjs';

const remove = openStore();
const sError = z.object({ error: z.coerce.number(), message: z.string() });
const sParams = z.object({ id: z.coerce.number() });
const failures = ['400', '401', '404', '500', '503'].map((status) => [status, sError]);
const validateBody = responseValidationFactory([['204', z.undefined()], ...failures], undefined);

async function deletePlant({ params: { id } }) {
  if (remove(id)) return new ExpressRuntimeResponse(204);
  return new ExpressRuntimeResponse(404).body({ error: 40401, message: 'There is no such plant.' });
}

const router = Router();
router.delete('/plants/:id', async (req, res, next) => {
  try {
    const params = parseRequestInput(sParams, req.params, RequestInputType.RouteParam);
    const response = await deletePlant({ params }).catch((err) => {
      throw ExpressRuntimeError.HandlerError(err);
    });
    const { status, body } = response.unpack();
    res.status(status);
    if (body !== undefined) res.json(validateBody(status, body));
    else res.end();
  } catch (error) {
    next(error);
  }
});

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
  router,
  errorHandler: (err, req, res, next) => {
    if (res.headersSent) return next(err);
    const status = ExpressRuntimeError.isExpressError(err) && err.phase === 'request_validation' ? 400 : 500;
    res.status(status).json({ error: status * 100, message: err.message });
  },
});
