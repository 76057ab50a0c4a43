import { subcommandsOf, type Candidate, type Node } from './tree.ts';

/** A completion script for zsh, to run after compinit; file names where no word is known. */
export function zshCompletion(nodes: readonly Node[]): string {
  const cases = nodes.flatMap(({ path, words, options }) => [
    `    ${path}:-*) found=(${describe(options)}) ;;`,
    `    ${path}:*) found=(${describe(words)}) ;;`,
  ]);
  return `_plant_store() {
  local word at=
  local -a found
  for word in "\${(@)words[2,CURRENT-1]}"; do
    case $at/$word in
    ${subcommandsOf(nodes).join(' | ')}) at=$at/$word ;;
    esac
  done
  case $at:\${words[CURRENT]} in
${cases.join('\n')}
  esac
  if (( $#found )); then
    _describe plant-store found
  else
    _files
  fi
}
compdef _plant_store plant-store
`;
}

/** Each word and its description, separated by a colon, for _describe. */
function describe(candidates: readonly Candidate[]): string {
  return candidates
    .map(({ word, meaning }) => (meaning === '' ? word : `${word}:${meaning.replaceAll(':', String.raw`\:`)}`))
    .map((text) => `'${text.replaceAll("'", String.raw`'\''`)}'`)
    .join(' ');
}
