/** The smallest server that deletes a plant with Express: what a start is compared with. */
import express from 'express';
import { openStore } from './store.mjs';
import { port } from './settings.mjs';

const remove = openStore();
const app = express();
app.delete('/plants/:id', (req, res) => res.sendStatus(remove(Number(req.params.id)) ? 204 : 404));
app.listen(port, '127.0.0.1');
