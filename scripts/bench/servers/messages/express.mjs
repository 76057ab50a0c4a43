/** Express with its own parsers and router, as in its documentation. It checks nothing. */
import express from 'express';
import { port } from '../settings.mjs';
import { PLANTS } from './plants.mjs';

const app = express();
app.use(express.json({ limit: '1mb' }));
app.use(express.urlencoded());
app.post('/orders', (req, res) => res.json(req.body));
app.get('/plants', (_req, res) => res.json({ items: PLANTS }));
app.delete('/plants/:id', (_req, res) => res.status(204).end());
app.get('/search', (req, res) => res.status(req.query.q === undefined ? 400 : 204).end());
app.post('/messages', (req, res) => res.status(req.body.text === undefined ? 400 : 204).end());
app.listen(port, '127.0.0.1');
