import type { Command } from 'commander';

/** A word that may follow, with its description. */
export interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/** A command and the words that may follow it. */
export interface Node {
  /** The command's names, each after a slash: '' is the program, '/tokens/create' a subcommand. */
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly options: readonly Candidate[];
}

/** All visible commands of a program, with the words that may follow each. */
export function commandTree(program: Command): readonly Node[] {
  return nodesOf(program, '');
}

/** The paths of all subcommands. */
export function subcommandsOf(nodes: readonly Node[]): string[] {
  return nodes.map(({ path }) => path).filter((path) => path !== '');
}

function nodesOf(command: Command, path: string): Node[] {
  const help = command.createHelp();
  const commands = help.visibleCommands(command);
  const choices = command.registeredArguments.flatMap(({ argChoices = [] }) => argChoices);
  const node = {
    path,
    words: [
      ...commands.map((each) => ({ word: each.name(), meaning: firstSentence(each.description()) })),
      ...choices.map((word) => ({ word, meaning: '' })),
    ],
    options: help
      .visibleOptions(command)
      .map(({ long, description }) => ({ word: long ?? '', meaning: firstSentence(description) })),
  };
  // Skips the help command, so that the words after `help` are completed as without it.
  return [node, ...command.commands.flatMap((each) => nodesOf(each, `${path}/${each.name()}`))];
}

function firstSentence(text: string): string {
  return text.split(/[.:;](?:\s|$)/)[0] ?? '';
}
