import { subcommandsOf, type Candidate, type Node } from './tree.ts';

/** A completion script for bash, which completes file names where no word is known. */
export function bashCompletion(nodes: readonly Node[]): string {
  const cases = nodes.flatMap(({ path, words, options }) => [
    `    ${path}:-*) words='${wordsOf(options)}' ;;`,
    `    ${path}:*) words='${wordsOf(words)}' ;;`,
  ]);
  return `_plant_store() {
  local word at= words= current=\${COMP_WORDS[COMP_CWORD]}
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $at/$word in
    ${subcommandsOf(nodes).join(' | ')}) at=$at/$word ;;
    esac
  done
  case $at:$current in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _plant_store plant-store
`;
}

function wordsOf(candidates: readonly Candidate[]): string {
  return candidates.map(({ word }) => word).join(' ');
}
