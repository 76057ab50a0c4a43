import { existsSync } from 'node:fs';
import { chmod, cp, mkdir } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { messageOf } from '../src/errors.ts';
import { commandLine } from 'test-support/command-line.ts';
import { startProcess } from 'test-support/process.ts';
import { inTemporaryFolder } from 'test-support/temporary-folder.ts';
import { fetchNode, type NodePackage } from './checks/node-package.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

const command = commandLine(
  'npm run test:node --',
  'Runs npm ci and npm test under other versions of Node.js, in a copy of the project. npm has their binaries.',
)
  .argument('<versions...>', 'such as 22, the newest of that line, or 22.22.2')
  .option('--paths <paths...>', 'only test files whose path matches')
  .option('--required', 'fail, instead of skipping, where npm does not have the version', false)
  .parse();
const { paths = [], required } = command.opts<{ paths?: string[]; required: boolean }>();

for (const range of command.args) {
  const node = await fetchNode(range).catch((error: unknown) => messageOf(error));
  if (typeof node === 'string') console.error(`Node.js ${range}: ${required ? 'failed' : 'skipped'}: ${node}`);
  if (typeof node === 'string' ? required : !(await test(node))) process.exitCode = 1;
}

/** Installs and tests a copy of the project. @returns whether all passed. */
async function test({ version, env }: NodePackage): Promise<boolean> {
  return inTemporaryFolder(`node-${version}`, async (folder) => {
    // PostgreSQL runs from there as another user.
    await chmod(folder, 0o755);
    await copyProject(folder);
    const start = performance.now();
    const run = async (...args: string[]): Promise<boolean> => {
      const child = spawn('npm', args, { cwd: folder, env, stdio: ['ignore', 'inherit', 'inherit'] });
      await once(child, 'close');
      return child.exitCode === 0;
    };
    const installed = await run('ci', '--loglevel=error');
    const seconds = Math.round((performance.now() - start) / 1000);
    console.log(`Node.js ${version}: npm ci ${installed ? 'took' : 'failed after'} ${seconds} s`);
    return installed && run('test', '--', ...paths);
  });
}

/** Copies what git has or would add. */
async function copyProject(folder: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { stdout } = await startProcess('git', args, { cwd: ROOT }).ended;
  for (const path of stdout.split('\0').filter((name) => name !== '' && existsSync(join(ROOT, name)))) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(ROOT, path), join(folder, path), { verbatimSymlinks: true });
  }
}
