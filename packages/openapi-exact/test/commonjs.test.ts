import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { installLibrary } from 'test-support/installed-package.ts';
import { codeBlock, readProjectFile } from 'test-support/readme.ts';

const GUIDE = 'packages/openapi-exact/docs/commonjs.md';
const CALL = `
const { createApp } = require(process.env.APP ?? './app.js');
exports.call = async () => {
  const server = (await createApp()).listen(0);
  const url = \`http://127.0.0.1:\${server.address().port}/todos/9007199254740993\`;
  const response = await fetch(url, { headers: { Authorization: 'Bearer secret', Connection: 'close' } });
  const answer = [response.status, await response.text()];
  await new Promise((done) => server.close(done));
  return answer;
};
`;
const ANSWER = [200, '{"id":9007199254740993,"text":"Water the roses"}'];
const REQUIRE = "require('openapi-exact')";
const NODE_OPTIONS = '--experimental-vm-modules --no-warnings';

describe('in a CommonJS package', () => {
  const ready = installLibrary();
  afterAll(async () => (await ready).remove());

  beforeAll(async () => {
    const installed = await ready;
    await installed.write('package.json', '{ "private": true }');
    await installed.write('openapi.yaml', await readProjectFile('packages/openapi-exact/examples/todo/openapi.yaml'));
    await installed.run('npx', ['openapi-exact', 'generate', 'openapi.yaml', '--out', 'generated']);
    await installed.write('app.js', await codeBlock(GUIDE, 'js', 'createApp'));
    await installed.write('tsconfig.json', await codeBlock(GUIDE, 'json'));
    await installed.write('typed-app.ts', await codeBlock(GUIDE, 'ts'));
    await installed.write('call.js', CALL);
    await installed.write(
      'print.js',
      "require('./call.js').call().then((answer) => console.log(JSON.stringify(answer)));",
    );
  });

  test('require loads the server, and the client', async () => {
    const installed = await ready;
    expect(JSON.parse(await installed.run(process.execPath, ['print.js']))).toEqual(ANSWER);
    const script = "console.log(typeof require('openapi-exact/client').createClient)";
    expect(await installed.run(process.execPath, ['-e', script])).toBe('function\n');
  });

  test('TypeScript compiles what runs, with the configuration of the guide', async () => {
    const installed = await ready;
    expect(await installed.run('npx', ['tsc'])).toBe('');
    expect(JSON.parse(await installed.run(process.execPath, ['print.js'], { APP: './typed-app.js' }))).toEqual(ANSWER);
    await expect(installed.run('npx', ['tsc', '--module', 'node16', '--noEmit'])).rejects.toThrow('TS1479');
  });

  test('jest calls the server that the guide shows', async () => {
    const installed = await ready;
    const application = await codeBlock(GUIDE, 'js', 'createApp');
    const dynamic = application.replace(REQUIRE, `await import('openapi-exact')`);
    expect(dynamic).toContain((await codeBlock(GUIDE, 'js', 'await import')).trim());
    await installed.write('dynamic-app.js', dynamic);
    const expected = JSON.stringify(ANSWER);
    const body = `test('calls', async () => expect(await require('./call.js').call()).toEqual(${expected}), 60_000);`;
    await installed.write('call.test.js', body);
    const jest = (APP: string): Promise<string> => installed.run('npx', ['jest', '-i'], { NODE_OPTIONS, APP });
    expect(await jest('./dynamic-app.js')).toBe('');
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    const requires = major > 24 || (major === 24 && minor >= 9);
    if (requires) expect(await jest('./app.js')).toBe('');
    else await expect(jest('./app.js')).rejects.toThrow('Must use import');
  }, 120_000);
});
