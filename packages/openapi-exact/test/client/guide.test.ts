import { expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { cp, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { codeBlocks } from 'test-support/readme.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const LIBRARY = join(ROOT, 'packages/openapi-exact');
const CONFIG = {
  extends: join(ROOT, 'tsconfig.json'),
  compilerOptions: {
    lib: ['ES2023', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: [],
    noUnusedLocals: false,
    paths: { 'openapi-exact/client': [join(LIBRARY, 'src/client.ts')] },
  },
  include: ['*.ts'],
};

test('the examples of docs/client.md compile, with TanStack Query and SWR', async () => {
  const [client, ...examples] = await codeBlocks('packages/openapi-exact/docs/client.md');
  expect(examples.length).toBeGreaterThan(6);
  await inTemporaryFolder('guide', async (folder) => {
    await cp(join(LIBRARY, 'examples/garden/generated'), join(folder, 'generated'), { recursive: true });
    for (const name of ['formats.ts', 'decimal.ts'])
      await cp(join(LIBRARY, 'examples/garden', name), join(folder, name));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(CONFIG));
    await writeFile(join(folder, 'client.ts'), client?.code ?? '');
    // Each example has what the first one imports, and is a module of its own.
    const imports = `${/^(?:import .*\n)+/m.exec(client?.code ?? '')?.[0]}import { client } from './client.ts';\n`;
    for (const [index, { code }] of examples.entries())
      await writeFile(join(folder, `example-${index}.ts`), imports + code);
    const compiler = join(ROOT, 'node_modules/typescript-7/bin/tsc');
    const compile = promisify(execFile)(process.execPath, [compiler, '--project', folder]);
    // The compiler says on standard output what is wrong.
    const said: unknown = await compile.catch((error: unknown) => error);
    expect(said).toMatchObject({ stdout: '' });
  });
});
