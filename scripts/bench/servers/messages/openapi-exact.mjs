/** openapi-exact on Express, as in its README. */
import express from 'express';
import { contractMiddleware, loadContract } from 'openapi-exact';
import { port, token } from '../settings.mjs';
import { PLANTS } from './plants.mjs';

const items = PLANTS.map((plant) => ({ ...plant, id: BigInt(plant.id) }));

const handlers = {
  createOrder: async ({ body }) => ({ status: 200, body }),
  listPlants: async () => ({ status: 200, body: { items } }),
  deletePlant: async () => ({ status: 204 }),
  searchPlants: async () => ({ status: 204 }),
  sendMessage: async () => ({ status: 204 }),
};

const verifiers = {
  bearerAuth: async (presented) => (presented === token ? { name: 'bench' } : undefined),
};

const app = express();
const contract = await loadContract(new URL('../../messages/openapi.yaml', import.meta.url));
app.use(await contractMiddleware({ contract, handlers, verifiers }));
app.listen(port, '127.0.0.1');
