import { createServer } from 'node:http';
import { createApp } from './app.ts';

createServer(await createApp()).listen(3000, () => {
  console.log('The chat is at http://127.0.0.1:3000.');
});
