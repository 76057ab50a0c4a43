import express, { type Router } from 'express';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConfigurationError, ContractError, loadContract } from 'openapi-exact';
import { messageOf } from 'openapi-exact/contract';
import { mockMiddleware } from '../mock/mock-middleware.ts';
import { contractFile } from './contract-file.ts';

/** A server of a contract's examples. */
export class Mock {
  readonly server: Server;
  readonly #contract: string;
  #serve: Router | undefined;

  constructor(contract: string) {
    this.#contract = contract;
    const app = express().disable('x-powered-by');
    app.use((request, response, next) => {
      (this.#serve ?? next)(request, response, next);
    });
    this.server = createServer(app);
  }

  /** Listens on this machine alone. @param port 0 for any that is free. @returns its address. */
  async listen(port: number): Promise<string> {
    this.server.listen(port, '127.0.0.1');
    await once(this.server, 'listening');
    // Safe: it listens on a port, not on a path.
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Reads the contract again. One that cannot be served leaves the last one in place, and why is
   * written to standard error.
   * @returns the files of the contract. @throws why there is nothing to serve at all.
   */
  async load(): Promise<readonly string[]> {
    try {
      const contract = await loadContract(contractFile(this.#contract));
      this.#serve = await mockMiddleware(contract);
      return [...contract.sources.texts.keys()];
    } catch (error) {
      if (this.#serve === undefined || !(error instanceof ConfigurationError)) throw error;
      console.error(`${messageOf(error)}\nThe last contract that could be served is served on.`);
      return error instanceof ContractError ? error.files : [this.#contract];
    }
  }
}
