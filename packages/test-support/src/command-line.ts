import { Command, InvalidArgumentError } from 'commander';

/**
 * The command line of one npm script: `--help` exits 0; unknown options, surplus arguments and
 * wrong values exit 2.
 * @param usage what is typed, such as `npm run test:fuzz --`.
 */
export function commandLine(usage: string, description: string): Command {
  return new Command(usage)
    .description(description)
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2));
}

/** Reads the value of an option. @throws InvalidArgumentError unless it is a number above 0. */
export function positiveNumber(text: string): number {
  const value = Number(text);
  if (!(value > 0 && value < Infinity)) throw new InvalidArgumentError('It must be a number above 0.');
  return value;
}

/** Reads the value of an option. @throws InvalidArgumentError unless it is an integer. */
export function integer(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be an integer.');
  return Number(text);
}
