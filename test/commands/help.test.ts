import { describe, expect, test } from '@jest/globals';
import { workplaceOfEachTest } from '../support/cli.ts';
import { isInstalled } from '../support/installed.ts';

const place = workplaceOfEachTest();

describe('--help', () => {
  test.each(['', 'serve', 'tokens create', 'plants import'])(
    'of plant-store %s shows what it does, with an example',
    async (command) => {
      // Help is there before the settings are right.
      const { code, stdout, stderr } = await place.call([...command.split(' '), '--help'].filter(Boolean), {
        env: { PORT: 'wrong' },
      });
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Usage: plant-store ${command}`);
      expect(stdout).toMatch(/\nExample:\n( {2}\$ .*plant-store .*\n)+$/);
      expect(await place.shell('ls -A')).toMatchObject({ stdout: '' });
    },
  );

  test('is what `help` with a command prints', async () => {
    const help = await place.call(['plants', 'import', '--help']);
    expect(await place.call(['help', 'plants', 'import'])).toEqual(help);
  });
});

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
      const { code, stdout, stderr } = await place.call(args.split(' '));
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(/^Usage: plant-store .*\nCommands:\n/s);
    },
  );
});

const COMMANDS = ['serve', 'migrate', 'tokens', 'plants', 'backup', 'config', 'completion', 'help'];

/** What stands on the line, its last word being completed, and what it can become. */
const CASES: [words: string[], candidates: string[]][] = [
  [[''], COMMANDS],
  [['co'], ['config', 'completion']],
  [['--v'], ['--version']],
  [
    ['tokens', ''],
    ['create', 'list', 'revoke', 'help'],
  ],
  [
    ['tokens', 'create', 'webshop', '--'],
    ['--expires-in', '--help'],
  ],
  [['plants', 'list', '--l'], ['--limit']],
  [['help', 'plants', 'im'], ['import']],
  [
    ['completion', ''],
    ['bash', 'zsh', 'fish'],
  ],
  [['plants', 'import', ''], []],
];

test.each(CASES)('bash completes %j with %j', async (words, candidates) => {
  const line = ['plant-store', ...words].map((word) => `'${word}'`).join(' ');
  await place.write(
    'try',
    `set -eu\neval "$(node "$CLI" completion bash)"\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}\n_plant_store || true\necho "\${COMPREPLY[@]:-}"\n`,
  );
  expect(await place.shell('bash try')).toEqual({ code: 0, stdout: `${candidates.join(' ')}\n`, stderr: '' });
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
