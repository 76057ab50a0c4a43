import { afterEach, beforeEach, jest } from '@jest/globals';
import { Readable, Writable } from 'node:stream';
import { expectConformance, type WireResponse } from './conformance.ts';
import type { Outcome } from './process.ts';
import { contract } from './service.ts';
import { Workplace, type RunOptions } from './workplace.ts';

export * from './workplace.ts';

/** A workplace that can also run commands in this process, which saves the start of another. */
export class TestWorkplace extends Workplace {
  /**
   * Runs `plant-store` like `run`, from its source and in this process. Not for servers, nor beside
   * another call. `.env` is not read into the environment.
   */
  async call(args: readonly string[], { env = {}, input = '' }: RunOptions = {}): Promise<Outcome> {
    const written = { stdout: '', stderr: '' };
    const to = (name: keyof typeof written): Writable =>
      new Writable({
        write: (text: Buffer, _encoding, done) => {
          written[name] += text.toString();
          done();
        },
      });
    const folder = process.cwd();
    const { argv, env: own, stdin, stdout, stderr, exitCode } = process;
    const replace = (values: object): void => {
      for (const [name, value] of Object.entries(values)) {
        Object.defineProperty(process, name, { value: value as unknown, writable: true, configurable: true });
      }
    };
    replace({
      ...{ argv: [process.execPath, 'plant-store', ...args], env: { ...this.variables, ...env } },
      ...{ stdin: Readable.from([input]), stdout: to('stdout'), stderr: to('stderr'), exitCode: undefined },
    });
    const log = jest.spyOn(console, 'error').mockImplementation((text) => process.stderr.write(`${text}\n`));
    process.chdir(this.folder);
    try {
      // Under a new name each time, since a module runs once.
      await import(`../../src/cli.ts?${crypto.randomUUID()}`);
      return { code: Number(process.exitCode ?? 0), ...written };
    } finally {
      process.chdir(folder);
      log.mockRestore();
      replace({ argv, env: own, stdin, stdout, stderr, exitCode });
    }
  }
}

/** A new workplace for each test of a file, removed behind it. */
export function workplaceOfEachTest(): TestWorkplace {
  const place = new TestWorkplace();
  beforeEach(() => place.open());
  afterEach(() => place.remove());
  return place;
}

/** Deletes a plant over HTTP, as a client of that server would. */
export async function deletePlantAt(url: string, token: string, id: bigint | string): Promise<WireResponse> {
  const target = `${contract.basePaths[0] ?? ''}/plants/${id}`;
  const response = await fetch(url + target, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } });
  const wire = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  expectConformance('DELETE', target, wire);
  return wire;
}
