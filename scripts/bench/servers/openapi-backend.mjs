/** openapi-backend on Express as in its README. */
import express from 'express';
import { OpenAPIBackend } from 'openapi-backend';
import { openStore } from './one-by-one.mjs';
import { contract, port, token } from './settings.mjs';

const remove = openStore();
// quick: it finds operations in a contract of OpenAPI 3.1 only when it does not check it first.
const api = new OpenAPIBackend({ definition: contract, quick: true });
api.registerSecurityHandler('bearerAuth', (c) => c.request.headers.authorization === `Bearer ${token}`);
api.register({
  deletePlant: (c, req, res) => {
    if (remove(Number(c.request.params.id))) return res.status(204).end();
    return res.status(404).json({ error: 40401, message: 'There is no such plant.' });
  },
  validationFail: (c, req, res) => res.status(400).json({ error: 40001, message: c.validation.errors[0].message }),
  unauthorizedHandler: (c, req, res) => res.status(401).json({ error: 40100, message: 'unauthorized' }),
  notFound: (c, req, res) => res.status(404).json({ error: 40400, message: 'not found' }),
});
await api.init();

const app = express();
app.use(express.json());
app.use((req, res) => api.handleRequest(req, req, res));
app.listen(port, '127.0.0.1');
