import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { workplaceOfEachTest } from '../support/cli.ts';
import { listen, type Listening } from 'test-support/listen.ts';
import { readProjectFile } from 'test-support/readme.ts';
import { plantsOf, postgresServer, run, type PostgresServer } from '../support/postgres.ts';

const PACKAGES = fileURLToPath(new URL('node_modules/@opentelemetry/', import.meta.url));

/** What OTLP has in JSON (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). */
type Attributes = readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
type Ids = Readonly<Record<'scope' | 'traceId' | 'spanId' | 'name', string>>;
type Span = Ids & { readonly parentSpanId?: string; readonly attributes: Attributes };
interface Export {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Attributes };
    readonly scopeSpans: readonly { readonly scope: { readonly name: string }; readonly spans: readonly Span[] }[];
  }[];
}

/** The caller's trace and span (https://www.w3.org/TR/trace-context/). */
const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

const isHere = existsSync(PACKAGES);
if (!isHere) process.stderr.write('skipped: OpenTelemetry, whose packages npm run test:opentelemetry installs\n');

(isHere ? describe : describe.skip)("OpenTelemetry's own packages, given to Node by its options", () => {
  const place = workplaceOfEachTest();
  let guide: string;
  let database: PostgresServer;
  let receiver: Listening;
  let received: string[] = [];
  beforeAll(async () => {
    guide = await readProjectFile('docs/opentelemetry.md');
    database = await postgresServer();
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        received.push(body);
        response.setHeader('Content-Type', 'application/json').end('{}');
      });
    });
    receiver = await listen(server);
  }, 60_000);
  afterAll(async () => {
    await receiver.close();
    await database.close();
  });
  afterEach(() => {
    received = [];
  });

  async function spansUntil(scope: string): Promise<Span[]> {
    for (;;) {
      const spans = received
        // The receiver is sent nothing else.
        .flatMap((body) => (JSON.parse(body) as Export).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap((part) => part.spans.map((span) => ({ ...span, scope: part.scope.name.replace(/^.*-/, '') })))
        .filter(({ traceId }) => traceId === TRACE);
      if (spans.some((span) => span.scope === scope) && spans.some((span) => span.scope === 'http')) return spans;
      await pause(100);
    }
  }

  function settings(url: string): Record<string, string> {
    const exported = [...guide.matchAll(/^export .*/gm)].join(' ').matchAll(/(OTEL_\w+)=(\S+)/g);
    return {
      ...Object.fromEntries(Array.from(exported, ([, name = '', value = '']) => [name, value])),
      DATABASE_URL: url,
      NODE_ENV: 'production',
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${receiver.port}`,
      // Milliseconds between two exports.
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
  }

  test('trace a delete through HTTP, Express and PostgreSQL, as part of the trace of its caller, without its token', async () => {
    const [, register = ''] = /^node --import \/opt\/\S+?\/@opentelemetry\/(\S+) dist\/cli\.js/m.exec(guide) ?? [];
    const url = await database.createDatabase();
    await run(url, 'CREATE TABLE plants (id bigint PRIMARY KEY)', 'INSERT INTO plants VALUES (1), (2), (3)');
    const token = (await place.run(['tokens', 'create', 'shop'], { env: { DATABASE_URL: url } })).stdout.trim();
    const service = await place.serve(settings(url), [`--import=${PACKAGES}${register}`]);
    const { status } = await fetch(`${service.url}/plants/2`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${token}`, traceparent: `00-${TRACE}-${PARENT}-01` },
    });
    expect(status).toBe(204);
    const spans = await spansUntil('pg');
    expect(await plantsOf(url)).toEqual([1n, 3n]);

    const [request] = spans.filter(({ scope }) => scope === 'http');
    expect(request).toMatchObject({ name: 'DELETE', parentSpanId: PARENT });
    const attributes = Object.fromEntries(
      (request?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
    );
    expect(attributes).toMatchObject({ 'http.response.status_code': 204, 'url.path': '/plants/2' });
    const ids = new Set(spans.map(({ spanId }) => spanId));
    const below = spans.filter((span) => span !== request);
    expect(new Set(below.map(({ scope }) => scope))).toEqual(new Set(['express', 'pg']));
    expect(below.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId))).toEqual([]);

    expect(await service.stop()).toBe(0);
    // The receiver is sent nothing else.
    const { resourceSpans } = JSON.parse(received[0] ?? '') as Export;
    expect(resourceSpans[0]?.resource.attributes).toContainEqual({
      key: 'service.name',
      value: { stringValue: 'plant-store' },
    });
    expect(received.join('\n')).not.toContain(token.slice('plant_'.length));
    expect(received.join('\n')).not.toContain('Bearer');
  });
});

test('the guide names the version that is tested', async () => {
  // npm has checked its form.
  const { dependencies } = JSON.parse(await readProjectFile('test/opentelemetry/package.json')) as {
    dependencies: Record<string, string>;
  };
  const [name = '', version = ''] = Object.entries(dependencies)[0] ?? [];
  expect(await readProjectFile('docs/opentelemetry.md')).toContain(` ${name}@${version}\n`);
});
