import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { workplace, type Workplace } from '../support/cli.ts';

let place: Workplace;
beforeAll(async () => {
  place = await workplace();
});
afterAll(() => place.remove());

describe('--help', () => {
  test.each([
    '',
    'serve',
    'tokens',
    'tokens create',
    'tokens list',
    'tokens revoke',
    'plants',
    'plants import',
    'plants export',
    'plants count',
  ])('of plant-store %s shows what it does, with an example', async (command) => {
    // Help is there before the settings are right.
    const { code, stdout, stderr } = await place.run([...command.split(' '), '--help'].filter(Boolean), {
      env: { PORT: 'wrong' },
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: plant-store ${command}`);
    expect(stdout).toMatch(/\nExample:\n {2}\$ .*plant-store .*\n$/);
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  });

  test('works as `npx plant-store --help` in the project', async () => {
    const cwd = fileURLToPath(new URL('../..', import.meta.url));
    const { stdout } = await promisify(execFile)('npx', ['--no-install', 'plant-store', '--help'], { cwd });
    expect(stdout).toMatch(/^Usage: plant-store \[options\] \[command\]\n/);
  });
});

describe('wrong usage', () => {
  test.each([
    ['water', "error: unknown command 'water'\n"],
    ['serv', "error: unknown command 'serv'\n(Did you mean serve?)\n"],
    ['--fast', "error: unknown option '--fast'\n"],
    ['serve --fast', "error: unknown option '--fast'\n"],
    ['serve here', "error: too many arguments for 'serve'. Expected 0 arguments but got 1.\n"],
    ['tokens make', "error: unknown command 'make'\n"],
    ['tokens create', "error: missing required argument 'name'\n"],
    ['tokens create a --expires-in', "error: option '--expires-in <duration>' argument missing\n"],
    ['tokens revoke', "error: missing required argument 'name'\n"],
    ['plants water', "error: unknown command 'water'\n"],
    ['plants import', "error: missing required argument 'file'\n"],
    ['plants import a b', "error: too many arguments for 'import'. Expected 1 argument but got 2.\n"],
    ['plants count --all', "error: unknown option '--all'\n"],
  ])('%j ends with exit code 2 and says what was wrong', async (args, stderr) => {
    expect(await place.run(args.split(' '))).toEqual({ code: 2, stdout: '', stderr });
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  });

  test.each(['tokens', 'plants'])('%j alone shows its commands on standard error and ends with 2', async (command) => {
    const { code, stdout, stderr } = await place.run([command]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`Usage: plant-store ${command} [options] [command]`);
  });
});
