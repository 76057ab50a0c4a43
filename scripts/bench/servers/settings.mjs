/** What the bench tells every server through the environment. */
export const port = Number(process.env.PORT);
export const token = process.env.BENCH_TOKEN ?? '';
export const file = process.env.BENCH_DATABASE ?? '';
export const contract = new URL('../../../openapi.yaml', import.meta.url).pathname;
/** The folder of our modules, compiled before the bench. */
export const dist = new URL('../../../data/modules/', import.meta.url);
/** 'durable': one durable commit for each request, as everybody writes it. 'instant': answers at once. */
export const store = process.env.BENCH_STORE ?? 'durable';
