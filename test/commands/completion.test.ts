import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { workplaceOfEachTest } from '../support/cli.ts';

const place = workplaceOfEachTest();

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

function isThere(program: string): boolean {
  const found = spawnSync(program, ['-c', 'true'], { stdio: 'ignore' }).status === 0;
  if (!found) process.stderr.write(`skipped: completion in ${program}, which is not installed\n`);
  return found;
}

test.each(CASES)('bash completes %j with %j', async (words, candidates) => {
  const line = ['plant-store', ...words].map((word) => `'${word}'`).join(' ');
  await place.write(
    'try',
    `set -eu\neval "$(node "$CLI" completion bash)"\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length}\n_plant_store || true\necho "\${COMPREPLY[@]:-}"\n`,
  );
  expect(await place.shell('bash try')).toEqual({ code: 0, stdout: `${candidates.join(' ')}\n`, stderr: '' });
});

test('fish completes the same', async () => {
  if (!isThere('fish')) return;
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
  if (!isThere('zsh')) return;
  const line =
    'autoload -Uz compinit && compinit -D -u && eval "$(node "$CLI" completion zsh)" && echo $_comps[plant-store]';
  expect(await place.shell(`zsh -fc '${line}'`)).toEqual({ code: 0, stdout: '_plant_store\n', stderr: '' });
});
