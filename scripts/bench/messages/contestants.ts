import type { Contestant } from '../servers.ts';

/** A server of the orders contract. */
export interface MessageContestant extends Contestant {
  /** What it does not check: each was sent such messages, or has its documentation say so. */
  readonly unchecked: string;
}

const ANYTHING = 'tokens, requests, responses';

export const OPENAPI_EXACT: MessageContestant = {
  name: 'openapi-exact on Express',
  file: 'messages/openapi-exact.mjs',
  unchecked: '–',
};
export const BARE: MessageContestant = { name: 'bare node:http', file: 'messages/bare.mjs', unchecked: ANYTHING };
/** The bare server as a middleware: the difference is what Express itself costs. */
export const BARE_ON_EXPRESS: MessageContestant = {
  name: 'bare middleware on Express',
  file: 'messages/bare-on-express.mjs',
  unchecked: ANYTHING,
};
export const EXPRESS: MessageContestant = {
  name: 'Express + express.json',
  file: 'messages/express.mjs',
  unchecked: ANYTHING,
};

/** The servers of the orders contract; the first is what the others are compared with. */
export const CONTESTANTS: readonly MessageContestant[] = [
  OPENAPI_EXACT,
  BARE,
  BARE_ON_EXPRESS,
  EXPRESS,
  {
    name: 'Fastify + fastify-openapi-glue',
    file: 'messages/fastify-glue.mjs',
    unchecked: 'int64, `"1"` for a number, duplicate keys, undeclared parameters, statuses and headers of responses',
  },
  {
    name: 'Express + express-openapi-validator',
    file: 'messages/express-openapi-validator.mjs',
    unchecked: 'int64, duplicate keys, headers of responses',
  },
];
