import { afterAll, expect, test } from '@jest/globals';
import { fileURLToPath } from 'node:url';
import { TestWorkplace } from '../support/cli.ts';

const place = await new TestWorkplace().open();
afterAll(() => place.remove());

/** Counts a response while the system has no file descriptors left, and renders it afterwards. */
const PROGRAM = `
import { closeSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { DeferredMetrics } from ${JSON.stringify(new URL('../../dist/admin/metrics.js', import.meta.url))};

const failures = [];
const metrics = new DeferredMetrics((error) => failures.push(error.code));
const opened = [];
try {
  for (;;) opened.push(openSync(${JSON.stringify(fileURLToPath(import.meta.url))}));
} catch {}
metrics.answered({ operation: 'deletePlant', status: 204, seconds: 0.1, reason: undefined });
const refused = await metrics.renderMetrics().catch((error) => error.code);
while (failures.length === 0) await pause(50);
for (const descriptor of opened) closeSync(descriptor);
const { text } = await metrics.renderMetrics();
console.log(refused, failures[0], /http_requests_total{.*"} 1/.exec(text)[0]);
`;

test('metrics are loaded once the system has file descriptors again, and have what was counted meanwhile', async () => {
  await place.write('program.mjs', PROGRAM);
  expect(await place.shell('ulimit -n 100 && node program.mjs')).toEqual({
    code: 0,
    stdout: 'EMFILE EMFILE http_requests_total{operation="deletePlant",status="204"} 1\n',
    stderr: '',
  });
});
