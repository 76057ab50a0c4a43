import { afterEach, beforeEach, expect } from '@jest/globals';
import { callProgram } from 'test-support/call-program.ts';
import { expectConformance, type WireResponse } from './conformance.ts';
import type { Outcome } from 'test-support/process.ts';
import { contract } from './service.ts';
import { WITHOUT_UNUSED_SCHEMA } from './unused-schema.ts';
import { Workplace, type Environment, type RunOptions } from './workplace.ts';

export * from './workplace.ts';

const SOURCE = new URL('../../src/cli.ts', import.meta.url);

interface CallOptions extends RunOptions {
  /** The version of Node.js that the program is to see. */
  readonly node?: string;
}

/** A workplace whose programs start fast, or run in this process. */
export class TestWorkplace extends Workplace {
  /**
   * Runs `plant-store` like `run`, from its source and in this process. Not for servers, nor beside
   * another call. `.env` is not read into the environment.
   */
  call(args: readonly string[], { env, ...options }: CallOptions = {}): Promise<Outcome> {
    return callProgram(SOURCE, args, { ...options, folder: this.folder, env: { ...this.variables, ...env } });
  }

  /** A quarter of each start would go into a schema that is not used. */
  protected override get variables(): Environment {
    return { ...super.variables, NODE_OPTIONS: WITHOUT_UNUSED_SCHEMA };
  }
}

/** A new workplace for each test of a file, removed behind it. */
export function workplaceOfEachTest(): TestWorkplace {
  const place = new TestWorkplace();
  beforeEach(() => place.open());
  afterEach(() => place.remove());
  return place;
}

/** Expects that a command failed with one line that names these, and printed nothing else. */
export function expectRefused(outcome: Outcome, code: number, ...named: readonly string[]): void {
  expect(outcome).toEqual({ code, stdout: '', stderr: expect.stringMatching(/^[^\n]+\n$/) });
  for (const part of named) expect(outcome.stderr).toContain(part);
}

/** Deletes a plant over HTTP, as a client of that server would. */
export async function deletePlantAt(url: string, token: string, id: bigint | string): Promise<WireResponse> {
  const target = `${contract.basePaths[0] ?? ''}/plants/${id}`;
  const response = await fetch(url + target, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } });
  const wire = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  expectConformance('DELETE', target, wire);
  return wire;
}
