/** express-openapi-validator with its security handlers and Express's parsers, as in its README. */
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import { fileURLToPath } from 'node:url';
import { port, token } from '../settings.mjs';
import { PLANTS } from './plants.mjs';

const app = express();
app.use(express.json({ limit: '1mb' }));
app.use(express.urlencoded({ extended: false }));
app.use(
  OpenApiValidator.middleware({
    apiSpec: fileURLToPath(new URL('../../messages/openapi.yaml', import.meta.url)),
    // Without it a form may carry texts alone.
    validateRequests: { coerceTypes: true },
    validateResponses: true,
    validateSecurity: {
      handlers: { bearerAuth: (req) => req.headers.authorization === `Bearer ${token}` },
    },
  }),
);
app.post('/orders', (req, res) => res.json(req.body));
app.get('/plants', (_req, res) => res.json({ items: PLANTS }));
app.delete('/plants/:id', (_req, res) => res.status(204).end());
app.get('/search', (_req, res) => res.status(204).end());
app.post('/messages', (_req, res) => res.status(204).end());
app.use((err, req, res, next) => {
  if (res.headersSent) return next(err);
  res.status(err.status || 500).json({ message: err.message, errors: err.errors });
});
app.listen(port, '127.0.0.1');
