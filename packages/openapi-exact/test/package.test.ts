import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { installLibrary } from 'test-support/installed-package.ts';
import { freePort } from 'test-support/listen.ts';
import { startProcess } from 'test-support/process.ts';
import { codeBlock, readProjectFile } from 'test-support/readme.ts';

const README = 'packages/openapi-exact/README.md';
const TODO = 'packages/openapi-exact/examples/todo';
const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const EXAMPLES = ['server.ts', 'client.ts'];
const OPTIONS = {
  strict: true,
  rewriteRelativeImportExtensions: true,
  target: 'es2022',
  lib: 'es2023',
  types: 'node',
};
const MODULES = [
  ['Node.js', { module: 'nodenext' }],
  ['bundlers', { module: 'preserve', moduleResolution: 'bundler' }],
] as const;
const SERVER = await codeBlock(README, 'ts', 'contractMiddleware');
const SETUP = await codeBlock(README, 'sh', 'npm init');
const CLIENT = await codeBlock(README, 'ts', 'createClient');

const installed = await installLibrary();
afterAll(() => installed.remove());

/** The examples as the compiler's interface takes them, with options as its command line does. */
function programOf(options: object): ts.Program {
  const given = { ...OPTIONS, ...options, lib: [OPTIONS.lib], types: [OPTIONS.types] };
  const { options: converted, errors } = ts.convertCompilerOptionsFromJson(given, installed.folder);
  expect(errors).toEqual([]);
  const files = EXAMPLES.map((name) => join(installed.folder, name));
  const host = ts.createCompilerHost(converted);
  host.getCurrentDirectory = () => installed.folder;
  return ts.createProgram(files, converted, host);
}

/** What the compiler says of the examples and of the package. Others check those of Node.js. */
function problemsOf(program: ts.Program): string[] {
  const own = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(installed.folder));
  const found = [program.getOptionsDiagnostics(), program.getGlobalDiagnostics(), program.getSyntacticDiagnostics()];
  const all = [...found, ...own.map((file) => program.getSemanticDiagnostics(file))].flat();
  return all.map(({ file, messageText }) => `${file?.fileName}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`);
}

test('README.md has at most 215 lines, and its code is that of the examples, word for word', async () => {
  expect((await readProjectFile(README)).split('\n').length).toBeLessThanOrEqual(216);
  expect(SERVER).toBe(await readProjectFile(`${TODO}/server.ts`));
  const formats = await readProjectFile('packages/openapi-exact/examples/garden/formats.ts');
  expect(await codeBlock(README, 'ts', 'Decimal.parse')).toBe(formats);
});

test('the package has what was built, its documents and its examples, and no source or test', async () => {
  const folder = join(installed.folder, 'node_modules/openapi-exact');
  const names = (await readdir(folder, { recursive: true })).map((name) => name.replaceAll('\\', '/'));
  const others = names.filter(
    (name) => /\.\w+$|LICENSE/.test(name) && !/^dist\/.*(?:\.d\.ts|\.js)$|^docs\/.*\.md$|^examples\//.test(name),
  );
  expect(others.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'README.md', 'package.json']);
  expect(names).toEqual(expect.arrayContaining(['examples/todo/server.ts', 'examples/garden/openapi.yaml']));
});

test('only the entry points can be imported', async () => {
  const script = "import('openapi-exact/dist/middleware.js').catch((error) => console.log(error.code))";
  expect(await installed.run(process.execPath, ['-e', script])).toBe('ERR_PACKAGE_PATH_NOT_EXPORTED\n');
});

describe('the examples of README.md, in an empty folder with a contract of its own,', () => {
  let port: number;
  let stdout = '';

  beforeAll(async () => {
    port = await freePort();
    await rm(join(installed.folder, 'package.json'));
    await installed.write('openapi.yaml', await readProjectFile(`${TODO}/openapi.yaml`));
    for (const command of SETUP.trim().split('\n')) {
      // The archives of the packages are installed, without a registry.
      if (!command.startsWith('npm install')) stdout = await installed.run('sh', ['-c', command]);
    }
    await installed.write('server.ts', SERVER.replace('3000', String(port)));
    await installed.write('client.ts', CLIENT.replace('3000', String(port)));
  });

  const compile = (options: object, ...more: string[]): Promise<string> => {
    const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const args = Object.entries({ ...OPTIONS, ...options }).flatMap(([name, value]) => [`--${name}`, String(value)]);
    return installed.run(process.execPath, [
      compiler,
      ...args,
      '--singleThreaded',
      '--ignoreConfig',
      ...more,
      ...EXAMPLES,
    ]);
  };

  test('are set up by the commands of README.md, which install all that they need', async () => {
    expect(stdout).toBe('Wrote generated/openapi.d.ts\nWrote generated/shapes.ts\n');
    const manifest: unknown = JSON.parse(await readFile(join(installed.folder, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ type: 'module' });
    const packages = [...SETUP.matchAll(/^npm install (?:--save-dev )?(.*)$/gm)].flatMap(([, names = '']) =>
      names.split(' '),
    );
    const missing = (name: string): string[] =>
      existsSync(join(installed.folder, 'node_modules', name)) ? [] : [name];
    expect(packages.flatMap(missing)).toEqual([]);
    const all = [...SERVER.matchAll(/^import .* from '([^.].*)';$/gm)].map(([, name]) => name);
    expect(packages).toEqual(expect.arrayContaining(all));
    expect(await installed.run('npx', ['tsc'])).toBe('');
  });

  test.each(MODULES)('compile with TypeScript 7, strict, for %s', async (_name, options) => {
    expect(await compile(options, '--noEmit')).toBe('');
  });

  test('compile with TypeScript 5, strict, for Node.js', () => {
    expect(problemsOf(programOf(MODULES[0][1]))).toEqual([]);
  });

  test.each([
    ['npx', ['tsx', 'server.ts']],
    [process.execPath, ['server.js']],
  ])('serve the contract and call it: %s %s', async (program, args) => {
    await compile(MODULES[0][1], '--noCheck');
    expect(await readFile(join(installed.folder, 'server.js'), 'utf8')).toContain('contractMiddleware');
    const server = startProcess(program, args, { cwd: installed.folder, detached: true });
    const get = (id: string, headers: Record<string, string> = {}): Promise<Response | undefined> =>
      fetch(`http://127.0.0.1:${port}/todos/${id}`, { headers }).catch(() => undefined);
    while ((await get('1')) === undefined) {
      expect(server.errors()).toBe('');
      await pause(50);
    }
    const headers = { Authorization: 'Bearer secret' };
    const statuses = [await get('1'), await get('1e3', headers), await get('9007199254740992', headers)];
    expect(statuses.map((response) => response?.status)).toEqual([401, 400, 404]);
    const text = await (await get('9007199254740993', headers))?.text();
    expect(text).toBe(/^# (.*)$/m.exec(await codeBlock(README, 'sh', 'curl'))?.[1]);
    expect(await installed.run(process.execPath, ['client.js'])).toBe('Water the roses 200\nNot Found\n48\n');
    // npx does not pass on every signal: it ends with what it started.
    process.kill(-Number(server.child.pid));
    await server.ended;
  });
});
