import { subcommandsOf, type Candidate, type Node } from './tree.ts';

/** A completion script for fish, which completes file names where no word is known. */
export function fishCompletion(nodes: readonly Node[]): string {
  const lines = nodes.flatMap(({ path, words, options }) => [
    ...words.map(({ word, meaning }) => line(path, `-f -a ${word}`, meaning)),
    ...options.map(({ word, meaning }: Candidate) => line(path, `-l ${word.slice('--'.length)}`, meaning)),
  ]);
  return `function __plant_store_at
  set -l at ''
  set -l given (commandline -opc)
  set -e given[1]
  for word in $given
    switch "$at/$word"
      case ${subcommandsOf(nodes).join(' ')}
        set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"
end
${lines.join('\n')}
`;
}

function line(path: string, what: string, meaning: string): string {
  const shown = meaning === '' ? '' : ` -d '${meaning.replaceAll(/['\\]/g, String.raw`\$&`)}'`;
  return `complete -c plant-store -n '__plant_store_at "${path}"' ${what}${shown}`;
}
