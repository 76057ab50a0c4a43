/** A server that can be measured. */
export interface Contestant {
  readonly name: string;
  /** A file in servers/, or our built program. */
  readonly file: string;
  readonly env: Readonly<Record<string, string>>;
  readonly store: 'sqlite' | 'postgres';
  /** How it must answer before it is timed; the bare ones know neither tokens nor a contract. */
  readonly contract: boolean;
  /** The rivals: to be probed for whether they delete the right plant. */
  readonly rival: boolean;
}

const contestant = (name: string, file: string, env: Record<string, string> = {}): Contestant => ({
  name,
  file,
  env,
  store: 'sqlite',
  contract: !file.startsWith('bare'),
  rival: !file.startsWith('bare') && file !== 'layers.mjs' && file !== 'dist/cli.js',
});

const DURABLE = { BENCH_STORE: 'durable' };
const INSTANT = { BENCH_STORE: 'instant' };

export const OURS = contestant('plant store', 'dist/cli.js');
export const OURS_LOGGING = contestant('plant store, a log line per request', 'dist/cli.js', {
  LOG_LEVEL: 'info',
  AUDIT_LOG: 'off',
});
/** As it comes: each delete has a line in the audit log too. */
export const OURS_AUDITING = contestant('plant store, two lines per request', 'dist/cli.js', { LOG_LEVEL: 'info' });
export const OURS_LAYER = contestant('plant store, contract layer alone', 'layers.mjs', INSTANT);
/** It accepts the tokens of an identity provider, whose keys are at the issuer's URL itself. */
export const oursWithProvider = (issuer: string, audience: string): Contestant =>
  contestant('plant store with an identity provider', 'dist/cli.js', {
    AUTH_ISSUER: issuer,
    AUTH_AUDIENCE: audience,
    AUTH_JWKS_URL: issuer,
  });
/** The contract has so many operations, that of the plants last. */
export const oursWithOperations = (count: number): Contestant =>
  contestant(`plant store, ${count.toLocaleString('en')} operations`, 'layers.mjs', {
    ...INSTANT,
    BENCH_OPERATIONS: String(count),
  });

export const BARE = contestant('bare node:http, same store and batcher', 'bare.mjs', DURABLE);
export const BARE_INSTANT = contestant('bare node:http', 'bare.mjs', INSTANT);
export const BARE_EXPRESS = contestant('bare Express + better-sqlite3', 'bare-express.mjs', DURABLE);

/** The same on PostgreSQL. */
export const ON_POSTGRES: Contestant = { ...OURS, name: 'plant store on PostgreSQL', store: 'postgres' };
export const BARE_POSTGRES: Contestant = { ...BARE, store: 'postgres' };
export const BARE_POSTGRES_ONE_BY_ONE: Contestant = {
  ...contestant('bare node:http, a statement per request', 'bare-postgres.mjs'),
  store: 'postgres',
};

export const GLUE = contestant('Fastify + openapi-glue + bearer-auth', 'fastify-glue.mjs', DURABLE);
export const VALIDATOR = contestant('Express + openapi-validator + passport', 'express-openapi-validator.mjs', DURABLE);
export const GLUE_INSTANT = contestant(GLUE.name, GLUE.file, INSTANT);
export const VALIDATOR_INSTANT = contestant(VALIDATOR.name, VALIDATOR.file, INSTANT);
export const BACKEND_INSTANT = contestant('openapi-backend on Express', 'openapi-backend.mjs', INSTANT);
export const HONO_INSTANT = contestant('hono + zod-openapi', 'hono-zod-openapi.mjs', INSTANT);
export const NAHKIES_INSTANT = contestant('@nahkies/typescript-express-runtime', 'nahkies.mjs', INSTANT);

/** The rivals with a store, for the probe of what they delete. */
export const RIVALS = [GLUE, VALIDATOR, BACKEND_INSTANT, HONO_INSTANT, NAHKIES_INSTANT].map(({ name, file }) =>
  contestant(name, file, DURABLE),
);
