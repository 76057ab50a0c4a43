import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from './app.ts';

const app = await createApp(await mkdtemp(join(tmpdir(), 'garden-')));
app.listen(3000, () => {
  console.log('The garden is at http://127.0.0.1:3000');
});
