import { Argument, Command } from 'commander';
import { bashCompletion } from './completion/bash.ts';
import { fishCompletion } from './completion/fish.ts';
import { commandTree } from './completion/tree.ts';
import { zshCompletion } from './completion/zsh.ts';
import { print } from './print.ts';

const SHELLS = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion } as const;

const EXAMPLES = [
  '$ eval "$(plant-store completion bash)"   # in ~/.bashrc',
  '$ eval "$(plant-store completion zsh)"    # in ~/.zshrc, after compinit',
  '$ plant-store completion fish > ~/.config/fish/completions/plant-store.fish',
];

/** `plant-store completion`: prints a shell script that completes commands and options. */
export function completionCommand(): Command {
  const command = new Command('completion')
    .description('Print a script that completes commands and options in bash, zsh or fish.')
    .addArgument(new Argument('<shell>').choices(Object.keys(SHELLS)))
    .addHelpText('after', `\nExample:\n  ${EXAMPLES.join('\n  ')}`);
  return command.action(async (shell: keyof typeof SHELLS) => {
    await print(SHELLS[shell](commandTree(rootOf(command))));
  });
}

function rootOf(command: Command): Command {
  return command.parent === null ? command : rootOf(command.parent);
}
