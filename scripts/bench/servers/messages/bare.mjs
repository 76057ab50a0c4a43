/** node:http alone. */
import { createServer } from 'node:http';
import { port } from '../settings.mjs';
import { answer } from './bare-application.mjs';

createServer(answer).listen(port, '127.0.0.1');
