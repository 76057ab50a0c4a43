import { expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';
import { HttpClient } from 'test-support/http-client.ts';

// `npm run test:node` can set both.
const { FIRST_STARTS = '1', LOAD_SECONDS = '2' } = process.env;
const CONNECTIONS = 32;

const place = workplaceOfEachTest();

// A native driver whose statements outlive their connection to V8 aborts when one is collected.
test.each(Array.from({ length: Number(FIRST_STARTS) }, (_, index) => index + 1))(
  'first start %d outlives load, /readyz, new tokens, imports and backups while V8 collects garbage all the time',
  async () => {
    // The smallest young generation.
    const env = { NODE_OPTIONS: '--max-semi-space-size=1' };
    const server = await place.serve(env);
    const headers = { authorization: `Bearer ${await server.firstToken()}` };
    const { length: banner } = server.errors();
    server.forget();
    const end = performance.now() + Number(LOAD_SECONDS) * 1000;
    const answers = new Set<number>();
    let last = 0;
    const client = async (http: HttpClient): Promise<void> => {
      while (performance.now() < end)
        answers.add((await http.request('DELETE', `/plants/${last++}`, { headers })).status);
    };
    const ready = async (): Promise<void> => {
      while (performance.now() < end) answers.add((await fetch(`${server.admin}/readyz`)).status);
    };
    const operate = async (): Promise<void> => {
      for (let turn = 0; performance.now() < end; turn++) {
        for (const [args, input] of [
          [['tokens', 'create', `token-${turn}`], ''],
          [['plants', 'import', '-'], `${last + 100}\n${last + 1000}\n`],
          [['backup', `copy-${turn}.db`], ''],
        ] as const) {
          expect(await place.run(args, { env, input })).toMatchObject({ code: 0, stderr: '' });
        }
      }
    };
    const http = new HttpClient(Number(new URL(server.url).port), { keepAlive: true, maxSockets: CONNECTIONS });
    const clients = Array.from({ length: CONNECTIONS }, () => client(http));
    const results = await Promise.allSettled([...clients, ready(), operate()]);
    const failures = results.filter(({ status }) => status === 'rejected');
    http.close();
    expect({ code: await server.stop(), errors: server.errors().slice(banner), answers, failures }).toEqual({
      code: 0,
      errors: '',
      answers: new Set([200, 204, 404]),
      failures: [],
    });
  },
);
