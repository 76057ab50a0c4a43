import type { Command } from 'commander';

/**
 * Answers names that other programs have for a command with advice, where the most similar name
 * would be a wrong one.
 */
export function adviseOn(parent: Command, names: readonly string[], advice: string): void {
  for (const name of names) {
    parent
      .command(name, { hidden: true })
      .allowUnknownOption()
      .allowExcessArguments()
      .action(() => parent.error(`error: unknown command '${name}'\n(${advice})`));
  }
}
