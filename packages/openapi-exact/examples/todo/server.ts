import express from 'express';
import { contractMiddleware, loadContract, type Handlers, type Verifiers } from 'openapi-exact';
import type { operations, securitySchemes } from './generated/openapi.d.ts';

const todos = new Map([[9007199254740993n, { id: 9007199254740993n, text: 'Water the roses' }]]);

const handlers: Handlers<operations> = {
  // id is a bigint; an undeclared status, or a body or header of another type, does not compile.
  getTodo: async ({ params: { id } }) => {
    const todo = todos.get(id);
    if (todo === undefined) return { status: 404, body: { title: 'Not Found', status: 404 } };
    return { status: 200, body: todo };
  },
};

const verifiers: Verifiers<securitySchemes> = {
  bearerAuth: async (token) => (token === 'secret' ? { name: 'me' } : undefined),
};

const app = express();
const contract = await loadContract(new URL('openapi.yaml', import.meta.url));
app.use(await contractMiddleware({ contract, handlers, verifiers }));
app.listen(3000);
