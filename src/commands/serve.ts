import { Command } from 'commander';
import type { Config } from '../config.ts';

/** `plant-store serve`: serves the operations of the contract until a signal stops it. */
export function serveCommand(config: () => Config): Command {
  return new Command('serve')
    .description('Serve the operations of the contract (the default command).')
    .addHelpText('after', '\nExample:\n  $ PORT=8080 plant-store serve')
    .action(async () => {
      const settings = config();
      // Loaded here, since the other commands do not need Express.
      const { startServer } = await import('../service/start.ts');
      await startServer(settings);
    });
}
