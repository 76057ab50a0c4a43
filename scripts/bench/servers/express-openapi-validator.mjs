/** express, express-openapi-validator, passport and passport-http-bearer as in their READMEs. */
import express from 'express';
import * as OpenApiValidator from 'express-openapi-validator';
import passport from 'passport';
import { Strategy as BearerStrategy } from 'passport-http-bearer';
import { openStore } from './store.mjs';
import { contract, port, token } from './settings.mjs';

const remove = openStore();
const users = new Map([[token, { name: 'bench' }]]);
passport.use(new BearerStrategy((presented, done) => done(null, users.get(presented) ?? false)));

const app = express();
app.use(express.json());
app.use(OpenApiValidator.middleware({ apiSpec: contract, validateRequests: true }));
app.delete('/plants/:id', passport.authenticate('bearer', { session: false }), (req, res) => {
  if (remove(req.params.id)) res.status(204).end();
  else res.status(404).json({ error: 40401, message: 'There is no such plant.' });
});
app.use((err, req, res, next) => {
  if (res.headersSent) return next(err);
  res.status(err.status || 500).json({ error: (err.status || 500) * 100, message: err.message });
});
app.listen(port, '127.0.0.1');
