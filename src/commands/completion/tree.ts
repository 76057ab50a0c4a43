import type { Command } from 'commander';

/** A word that may come next, and what it stands for. */
export interface Candidate {
  readonly word: string;
  readonly meaning: string;
}

/** What may follow a command. */
export interface Node {
  /** The names of the command, each behind a slash: '' is the program, '/tokens/create' a command. */
  readonly path: string;
  readonly words: readonly Candidate[];
  readonly options: readonly Candidate[];
}

/** All commands of a program with what may follow them, those that its help shows. */
export function commandTree(program: Command): readonly Node[] {
  return nodesOf(program, '');
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
  // Without the help command, so that what follows `help` is completed as if it were not there.
  return [node, ...command.commands.flatMap((each) => nodesOf(each, `${path}/${each.name()}`))];
}

function firstSentence(text: string): string {
  return text.split(/[.:;](?:\s|$)/)[0] ?? '';
}
