import { Command, CommanderError } from 'commander';
import { printWhileRead } from './commands/print.ts';
import { reportError } from './commands/report-error.ts';
import { serveCommand } from './commands/serve.ts';
import { refuseSettings, settingsHelp } from './commands/settings.ts';
import { requireNode } from './require-node.ts';
import { VERSION } from './version.ts';

/**
 * Runs one command of `plant-store`.
 * @param args those behind the name of the program.
 * @returns the exit code of a failure, which it has reported; undefined for a success, and where
 * the command has set the exit code itself.
 */
export async function runProgram(args: readonly string[]): Promise<number | undefined> {
  try {
    requireNode();
    await runCommand(args);
    return undefined;
  } catch (error) {
    return reportError(error);
  }
}

async function runCommand(args: readonly string[]): Promise<void> {
  let help = '';
  // With commander's own default command, a mistyped name would count as an excess argument.
  const [first = 'serve', ...options] = args;
  // Commander expects `tokens help create`: its help command belongs to the parent command.
  const asked = first === 'help' ? [...options.slice(0, -1), 'help', ...options.slice(-1)] : [first, ...options];
  const others = first === 'serve' ? [] : (await import('./commands/beside-serve.ts')).commandsBesideServe();
  const program = plantStoreCommand([serveCommand(), ...others], (text) => (help += text));
  try {
    await program.parseAsync(asked, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) await printWhileRead(help);
    throw error;
  }
}

/** The command with subcommands. @param writeHelp takes the texts of its help. */
function plantStoreCommand(commands: readonly Command[], writeHelp: (text: string) => void): Command {
  const program = new Command('plant-store')
    .description('A plant store that is served from its contract, openapi.yaml.')
    .addHelpText('after', () => `\n${settingsHelp()}\n\nExample:\n  $ plant-store serve`)
    .version(VERSION);
  for (const command of commands) program.addCommand(command);
  refuseSettings(program);
  // Commander does not pass these on to commands that were built separately.
  for (const command of [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)]) {
    command.exitOverride().configureOutput({ writeOut: writeHelp });
  }
  return program;
}
