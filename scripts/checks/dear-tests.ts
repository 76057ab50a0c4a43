/** A file or folder of tests that `npm test` leaves to `npm run test:all`. */
interface DearTest {
  /** A part of its path. */
  readonly path: string;
  /** What it takes that the others do not. */
  readonly reason: string;
}

/** The tests that take long, or need more than Node.js. Nothing else is left out. */
export const DEAR_TESTS: readonly DearTest[] = [
  { path: '/openapi-exact-reference/test/(?!api-reference)', reason: 'a browser, or an installed package' },
  { path: '/test/(docs|garden)-page', reason: 'a browser' },
  { path: '/test/client/package', reason: 'a browser and an installed package' },
  { path: '/test/http/cors', reason: 'a browser' },
  { path: '/test/(package|commonjs|scripts/install)', reason: 'installed packages' },
  { path: '/test/deploy/proxies', reason: 'nginx, HAProxy and Caddy under load' },
  { path: '/test/stores/(postgres|observed-commits|migrations|statement-faults)', reason: 'PostgreSQL' },
  { path: '/test/commands/on-postgres', reason: 'PostgreSQL' },
  { path: '/test/service/database-unreachable', reason: 'PostgreSQL, and waiting for it' },
  { path: '/test/http/greedy-clients', reason: 'waiting for time-outs' },
  {
    path: '/test/commands/(plants|backup|restore|logs)',
    reason: 'long imports, services that are killed, and logs whose reader is stuck',
  },
  {
    path: '/test/(document-commands|from-express-openapi-validator)',
    reason: 'every command of the documents, and every module of a guide',
  },
  { path: '/test/next-operation', reason: 'a whole service with more operations' },
  {
    path: '/test/scripts/(dev|generate|contracts|npm-scripts|contract-diff|mutation)',
    reason: 'scripts in copies of the project',
  },
  {
    path: '/openapi-exact/test/(cost|mixed-numbers|compilation)',
    reason: 'the worst messages, and thousands of schemas',
  },
  { path: '/openapi-exact/test/(bounded-validation|request-memory)', reason: 'the worst messages' },
  { path: '/openapi-exact/test/(two-ways|oracle|client/parameter-values)', reason: 'thousands of random messages' },
  { path: '/openapi-exact-cli/test/mocked-contracts', reason: 'every operation of many contracts' },
  { path: '/openapi-exact-cli/test/type-errors', reason: 'two compilers' },
  { path: '/openapi-exact(-cli)?/test/bounds', reason: 'counting the steps of the code' },
  { path: '/test/fuzz', reason: 'random bytes' },
  { path: '/test/service/(garbage-collection|damaged-database)', reason: 'a service under load, and damaged files' },
];
