import { describe, expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';
import { isInstalled } from '../support/installed.ts';

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
    ['plants import', `error: missing required argument 'file'\n${INPUT}`],
    ['plants add 1 01', `error: command-argument value '01' is invalid for argument 'id'. ${ID}`],
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

/** What stands on the line, its last word being completed, and what it can become. */
const CASES = Object.entries({
  '': 'serve migrate tokens plants backup config completion help',
  co: 'config completion',
  '--v': '--version',
  'tokens ': 'create list revoke help',
  'tokens create webshop --': '--expires-in --help',
  'plants list --l': '--limit',
  'help plants im': 'import',
  'completion ': 'bash zsh fish',
  'plants import ': '',
}).map(([line, candidates]) => [line.split(' '), candidates.split(' ').filter(Boolean)] as const);

test('bash completes commands, options and values', async () => {
  const tries = CASES.map(([words]) => {
    const line = ['plant-store', ...words].map((word) => `'${word}'`).join(' ');
    return `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; COMPREPLY=(); _plant_store || true; echo "\${COMPREPLY[@]:-}"`;
  });
  await place.write('try', ['set -eu', 'eval "$(node "$CLI" completion bash)"', ...tries].join('\n'));
  const stdout = CASES.map(([, candidates]) => `${candidates.join(' ')}\n`).join('');
  expect(await place.shell('bash try')).toEqual({ code: 0, stdout, stderr: '' });
});

test('fish completes the same', async () => {
  if (!isInstalled('fish')) return;
  await place.shell('node "$CLI" completion fish > plant-store.fish');
  for (const [words, candidates] of CASES) {
    const line = ['plant-store', ...words].join(' ');
    const { stdout } = await place.shell(`fish --no-config -c 'source plant-store.fish; complete -C "${line}"'`);
    const found = stdout.split('\n').flatMap((text) => (text === '' ? [] : [text.split('\t')[0] ?? '']));
    // Where no word is known, names of files are completed.
    expect(candidates.length === 0 ? [] : found.toSorted()).toEqual(candidates.toSorted());
  }
});

test('zsh takes the script', async () => {
  if (!isInstalled('zsh')) return;
  const line =
    'autoload -Uz compinit && compinit -D -u && eval "$(node "$CLI" completion zsh)" && echo $_comps[plant-store]';
  expect(await place.shell(`zsh -fc '${line}'`)).toEqual({ code: 0, stdout: '_plant_store\n', stderr: '' });
});
