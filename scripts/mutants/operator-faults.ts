import type { Fault } from './fault.ts';

const LIMITS = ['test/contract/limits.test.ts'];
const AUDIT = ['test/audit.test.ts'];

/** Faults that an operator would have to live with. */
export const OPERATOR_FAULTS: readonly Fault[] = [
  {
    name: 'X-Forwarded-For is believed whoever sends it',
    file: 'src/app.ts',
    from: "app.set('trust proxy', trustProxy);",
    to: "app.set('trust proxy', true);",
    tests: LIMITS,
  },
  {
    name: 'failed authentications are not limited',
    file: 'src/auth/limit-attempts.ts',
    from: 'if (failures !== undefined && error instanceof RequestError && error.status === 401) {',
    to: 'if (failures !== undefined && error instanceof RequestError && error.status === 499) {',
    tests: LIMITS,
  },
  {
    name: 'all addresses share one count',
    file: 'src/auth/limit-attempts.ts',
    from: 'networkOf(addressOf(request)) ??',
    to: "networkOf('192.0.2.1') ??",
    tests: LIMITS,
  },
  {
    name: 'each address of an IPv6 network is counted by itself',
    file: 'src/auth/limit-attempts.ts',
    from: 'networkOf(addressOf(request)) ??',
    to: 'addressOf(request) ??',
    tests: LIMITS,
  },
  {
    name: 'all tokens share one count',
    file: 'src/auth/limit-attempts.ts',
    from: 'count(requests, principal.name,',
    to: "count(requests, 'all',",
    tests: LIMITS,
  },
  {
    name: '429 says nothing of when to come back',
    file: 'src/auth/limit-attempts.ts',
    from: "headers: { 'Retry-After': String(Math.ceil(wait / 1000)) },",
    to: 'headers: {},',
    tests: LIMITS,
  },
  {
    name: 'what was not done is in the audit log',
    file: 'src/contract/mount.ts',
    from: 'if (answer.status < 300) note(',
    to: 'note(',
    tests: AUDIT,
  },
  {
    name: 'the audit log rounds ids',
    file: 'src/audit.ts',
    from: 'String(params[name])',
    to: 'String(Number(params[name]))',
    tests: AUDIT,
  },
  {
    name: 'the audit log does not say whose token it was',
    file: 'src/audit.ts',
    from: "line['token'] = principal?.name ?? null;",
    to: '',
    tests: AUDIT,
  },
  {
    name: 'a request may have any number of headers',
    file: 'src/unambiguous.ts',
    from: 'if (rawHeaders.length > 2 * MAX_HEADERS) {',
    to: 'if (rawHeaders.length > 200 * MAX_HEADERS) {',
    tests: ['test/server.test.ts'],
  },
  {
    name: 'any text is a Host',
    file: 'src/unambiguous.ts',
    from: "if (isHost(rawHeaders[index + 1] ?? '')) continue;",
    to: 'continue;',
    tests: ['test/server.test.ts'],
  },
  {
    name: 'requests are done behind an answer that closes the connection',
    file: 'src/server.ts',
    from: 'if (previous === undefined || previous.closed) {',
    to: 'if (previous === undefined || !previous.closed) {',
    tests: ['test/server.test.ts'],
  },
  {
    name: 'answers are counted again each time the metrics are read',
    file: 'src/admin/metrics.ts',
    from: 'this.reset();',
    to: '',
    tests: ['test/admin/metrics.test.ts'],
  },
  {
    name: 'a bucket of latencies holds none of those before it',
    file: 'src/admin/latencies.ts',
    from: 'count += here;',
    to: 'count = here;',
    tests: ['test/admin/latencies.test.ts'],
  },
  {
    name: 'a latency at the end of a bucket is in the next',
    file: 'src/admin/latencies.ts',
    from: 'seconds > (BOUNDS',
    to: 'seconds >= (BOUNDS',
    tests: ['test/admin/latencies.test.ts'],
  },
];
