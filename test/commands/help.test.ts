import { describe, expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

test.each(['', 'serve', 'tokens create', 'plants import'])(
  'plant-store %s --help shows what it does, with an example',
  async (command) => {
    const args = command.split(' ').filter(Boolean);
    // Help is there before the settings are right.
    const help = await place.call([...args, '--help'], { env: { PORT: 'wrong' } });
    expect(help).toMatchObject({ code: 0, stderr: '' });
    expect(help.stdout).toContain(`Usage: plant-store ${command}`);
    expect(help.stdout).toMatch(/\nExample:\n( {2}\$ .*plant-store .*\n)+$/);
    expect(await place.call(['help', ...args])).toEqual(help);
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  },
);

const [MIN, MAX] = ['-9223372036854775808', '9223372036854775807'];

describe('wrong usage', () => {
  test.each<[args: string, ...named: string[]]>([
    ['serv', "'serv'", 'serve?'],
    ['--fast', "'--fast'"],
    ['tokens create', "'name'"],
    ['tokens rotate webshop --expires-in 9d', "'rotate'", 'plant-store tokens --help'],
    ['tokens delete webshop', "'delete'", 'revoke?'],
    ['plants remove 14', "'remove'", 'DELETE /plants/{id}'],
    ['plants import', "'file'", "'-'", 'plants import - < ids.txt'],
    ['plants add 1 01', "'01'", "'id'", MIN, MAX, 'leading zeros'],
    ['plants list --limit 0', "'--limit <number>'", "'0'", '1 to 10000'],
    ['serve --port 8080', "'--port'", 'PORT=8080', '.env'],
    ['serve --database-url postgres://u:secret@h/d', "'--database-url'", 'DATABASE_URL=…', '.env'],
  ])('%j ends with exit code 2 and names what was wrong, and the way out', async (args, ...named) => {
    const { stderr, ...outcome } = await place.call(args.split(' '));
    expect(outcome).toEqual({ code: 2, stdout: '' });
    // The second line has the hint.
    expect(stderr).toMatch(/^error: [^\n]+\n(\([^\n]+\)\n)?$/);
    for (const part of named) expect(stderr).toContain(part);
    expect(stderr).not.toContain('secret');
    expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
  });

  test.each(['help plants water', 'tokens'])(
    '%j lists the commands on standard error and ends with 2',
    async (args) => {
      const stderr = expect.stringMatching(/^Usage: plant-store .*\nCommands:\n/s);
      expect(await place.call(args.split(' '))).toEqual({ code: 2, stdout: '', stderr });
    },
  );
});
