import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startProcess, type Outcome } from 'test-support/process.ts';
import { readProjectFile } from 'test-support/readme.ts';
import { plantsIn, startService } from '../test/support/service.ts';
import { setUp, testOrSkip } from './checks/set-up.ts';

/** The version that docs/client.md names. */
const GENERATOR = { artifact: 'openapi-generator-cli', version: '7.25.0' };
const CONTRACT = fileURLToPath(new URL('../openapi.yaml', import.meta.url));
const PLANTS = [9007199254740992n, 9007199254740993n, 9007199254740994n];
/** Below the 60 seconds of Retry-After that the example must not sleep through. */
const CALL_TIMEOUT = 30_000;

await testOrSkip(
  'test:generated-clients',
  'Makes a Python client with OpenAPI Generator and runs the Python example of docs/client.md with it.',
  'Java, Maven, Python or a download',
  makeClient,
  async (folder) => {
    await testExample(folder);
    console.log('1 passed, 0 failed');
    return true;
  },
);

/** Generates the client and installs what it requires. @throws Error that names what is missing. */
async function makeClient(folder: string): Promise<void> {
  for (const [command, ...args] of [
    ['java', '-version'],
    ['mvn', '-version'],
    ['python3', '-m', 'pip', '--version'],
  ] as const)
    await setUp(folder, command, args);
  const { artifact, version } = GENERATOR;
  const coordinates = `-Dartifact=org.openapitools:${artifact}:${version}`;
  await setUp(folder, 'mvn', ['-q', '-B', 'dependency:copy', coordinates, `-DoutputDirectory=${folder}`]);
  const options = ['-i', CONTRACT, '-g', 'python', '-o', join(folder, 'client'), '--package-name', 'plants'];
  await setUp(folder, 'java', ['-jar', join(folder, `${artifact}-${version}.jar`), 'generate', ...options]);
  const requirements = ['-r', join(folder, 'client', 'requirements.txt'), '--target', join(folder, 'modules')];
  await setUp(folder, 'python3', ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...requirements]);
}

/** Runs the example against a service. @throws AssertionError if it contradicts the guide. */
async function testExample(folder: string): Promise<void> {
  const [, example = ''] = /^```python\n(.*?)^```$/ms.exec(await readProjectFile('docs/client.md')) ?? [];
  await writeFile(join(folder, 'example.py'), example);
  const service = await startService(PLANTS, undefined, { authFailuresPerMinute: 2 });
  try {
    const otherPath = await runExample(folder, `${service.url}/`, service.token);
    assert.match(otherPath.stderr, /"error":40400\b/, 'a slash at the end of BASE_URL is an unknown path');
    assert.equal(otherPath.stdout, '');
    assert.deepEqual(await plantsIn(service.stores), PLANTS);

    assert.equal((await runExample(folder, service.url, service.token)).stdout, 'deleted\n');
    assert.deepEqual(await plantsIn(service.stores), [PLANTS[0], PLANTS[2]], 'the neighbours live');
    assert.equal((await runExample(folder, service.url, service.token)).stdout, 'there was none\n');
    assert.deepEqual(await plantsIn(service.stores), [PLANTS[0], PLANTS[2]]);

    for (const code of [40101, 40101, 42900]) {
      const { stderr } = await runExample(folder, service.url, 'wrong');
      assert.match(stderr, new RegExp(`"error":${code}\\b`), `${code} without sleeping through Retry-After`);
    }
  } finally {
    await service.close();
  }
}

function runExample(folder: string, baseUrl: string, token: string): Promise<Outcome> {
  const PYTHONPATH = [join(folder, 'client'), join(folder, 'modules')].join(':');
  const env = { ...process.env, PYTHONPATH, PYTHONDONTWRITEBYTECODE: '1', BASE_URL: baseUrl, TOKEN: token };
  return startProcess('python3', ['example.py'], { cwd: folder, env, timeout: CALL_TIMEOUT }).ended;
}
