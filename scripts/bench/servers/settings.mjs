/** What the bench tells every server through the environment. */
export const port = Number(process.env.PORT);
export const token = process.env.BENCH_TOKEN;
export const file = process.env.BENCH_DATABASE;
/** sqlite, memory or postgres; one-by-one: PostgreSQL with a statement for each request. */
export const store = process.env.BENCH_STORE;
export const contract = new URL('../../../openapi.yaml', import.meta.url).pathname;
