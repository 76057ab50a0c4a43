import type { Contestant } from '../servers.ts';

export const OPENAPI_EXACT: Contestant = { name: 'openapi-exact on Express', file: 'messages/openapi-exact.mjs' };
export const BARE: Contestant = { name: 'bare node:http', file: 'messages/bare.mjs' };
/** The bare server as a middleware: the difference is what Express itself costs. */
export const BARE_ON_EXPRESS: Contestant = { name: 'bare middleware on Express', file: 'messages/bare-on-express.mjs' };
export const EXPRESS: Contestant = { name: 'Express + express.json', file: 'messages/express.mjs' };

/** The servers of the orders contract; the first is what the others are compared with. */
export const CONTESTANTS: readonly Contestant[] = [
  OPENAPI_EXACT,
  BARE,
  BARE_ON_EXPRESS,
  EXPRESS,
  { name: 'Fastify + fastify-openapi-glue', file: 'messages/fastify-glue.mjs' },
  { name: 'Express + express-openapi-validator', file: 'messages/express-openapi-validator.mjs' },
];
