import express, { type Express } from 'express';
import { contractMiddleware, loadContract } from 'openapi-exact';
import { apiReference } from 'openapi-exact-reference';
import { formats } from './formats.ts';
import { Garden } from './garden.ts';
import { shapes } from './generated/shapes.ts';
import { gardenHandlers } from './handlers.ts';
import { verifiers } from './verifiers.ts';

/** The application. @param photos the folder for photos. */
export async function createApp(photos: string): Promise<Express> {
  const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
  const app = express();
  const handlers = gardenHandlers(new Garden(photos));
  const options = { contract, handlers, verifiers, formats, shapes } as const;
  app.use(await contractMiddleware({ ...options, undeclaredProperties: 'strip' }));
  app.use('/docs', apiReference({ contract, formats: { 'date-time': 'Date', decimal: 'Decimal:./decimal.ts' } }));
  return app;
}
