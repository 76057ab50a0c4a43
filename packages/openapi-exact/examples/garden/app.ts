import express, { type Express } from 'express';
import { contractMiddleware, loadContract } from 'openapi-exact';
import { apiReference } from 'openapi-exact-reference';
import { Garden } from './garden.ts';
import { gardenHandlers } from './handlers.ts';
import { verifiers } from './verifiers.ts';

/** The application. @param photos the folder for photos. */
export async function createApp(photos: string): Promise<Express> {
  const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
  const app = express();
  const handlers = gardenHandlers(new Garden(photos));
  app.use(await contractMiddleware({ contract, handlers, verifiers, undeclaredProperties: 'strip' }));
  app.use('/docs', apiReference({ contract }));
  return app;
}
