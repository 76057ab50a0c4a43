import { Command } from 'commander';
import type { Config } from '../config.ts';

/** `plant-store serve`: answers the operations of the contract until it is told to stop. */
export function serveCommand(config: () => Config): Command {
  return new Command('serve')
    .description('Serve the operations of the contract (the default command).')
    .addHelpText('after', '\nExample:\n  $ PORT=8080 plant-store serve')
    .action(async () => {
      const settings = config();
      // Loaded here: the other commands do without Express and all that goes with it.
      const { startServer } = await import('../service/start.ts');
      await startServer(settings);
    });
}
