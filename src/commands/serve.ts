import { Command } from 'commander';
import { loadConfig } from './load-config.ts';

/** `plant-store serve`: serves the operations of the contract until a signal stops it. */
export function serveCommand(): Command {
  return new Command('serve')
    .description('Serve the operations of the contract (the default command).')
    .addHelpText('after', '\nExample:\n  $ PORT=8080 plant-store serve')
    .action(async () => {
      const settings = loadConfig();
      // Loaded here, since the other commands do not need Express.
      const { startServer } = await import('../service/start.ts');
      await startServer(settings);
    });
}
