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

const INPUT = "(Name a file, or '-' for standard input: plant-store plants import - < ids.txt)\n";
const ID = 'An id is a decimal integer between -9223372036854775808 and 9223372036854775807, such as 12.\n';
const LIMIT = 'It must be a number from 1 to 10000; export prints all ids.\n';

describe('wrong usage', () => {
  test.each([
    ['serv', "error: unknown command 'serv'\n(Did you mean serve?)\n"],
    ['--fast', "error: unknown option '--fast'\n"],
    ['tokens create', "error: missing required argument 'name'\n"],
    [
      'tokens rotate webshop --expires-in 9d',
      "error: unknown command 'rotate'\n(Replace a token by two commands: see plant-store tokens --help.)\n",
    ],
    ['tokens delete webshop', "error: unknown command 'delete'\n(Did you mean revoke?)\n"],
    [
      'plants remove 14',
      "error: unknown command 'remove'\n(Clients delete plants with a token: DELETE /plants/{id}.)\n",
    ],
    ['plants import', `error: missing required argument 'file'\n${INPUT}`],
    [
      'plants add 1 01',
      `error: command-argument value '01' is invalid for argument 'id'. ${ID.replace('12.', '12, without leading zeros.')}`,
    ],
    ['plants list --limit 0', `error: option '--limit <number>' argument '0' is invalid. ${LIMIT}`],
    ['serve --port 8080', "error: unknown option '--port': use PORT=8080 in the environment or in .env\n"],
    [
      'serve --database-url postgres://u:secret@h/d',
      "error: unknown option '--database-url': use DATABASE_URL=… in the environment or in .env\n",
    ],
  ])('%j ends with exit code 2 and says what was wrong', async (args, stderr) => {
    expect(await place.call(args.split(' '))).toEqual({ code: 2, stdout: '', stderr });
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
