import { afterEach, beforeEach, expect } from '@jest/globals';
import type { KEY_TIMES } from '../../../src/auth/jwt/provider-keys.ts';
import { startKeyServer, type KeyServer } from '../../support/key-server.ts';
import { RecordedLog } from '../../support/recorded-log.ts';
import { deletePlant } from '../../support/send.ts';
import { PATIENT, plantsIn, startService, type Service, type ServiceOptions } from '../../support/service.ts';

const PLANTS = [1n, 2n, 3n];

/** An identity provider, and a service that trusts it, both new for each test of a file. */
export class ProvidedService {
  // These are set before each test, and the service when the test starts it.
  declare provider: KeyServer;
  declare recorded: RecordedLog;
  declare service: Service;

  constructor() {
    beforeEach(async () => {
      this.provider = await startKeyServer();
      this.recorded = new RecordedLog();
    });
    afterEach(async () => {
      await this.service.close();
      await this.provider.close();
    });
  }

  /** Starts the service, which does not wait for the provider. */
  start = async (
    settings: Partial<KeyServer['settings']> = {},
    times: Partial<typeof KEY_TIMES> = {},
    options: ServiceOptions = {},
  ): Promise<void> => {
    const identityProvider = { ...this.provider.settings, ...settings };
    const keyTimes = { ...PATIENT, ...times };
    this.service = await startService(PLANTS, this.recorded.log, { identityProvider, keyTimes, ...options });
  };

  expectKept = async (): Promise<void> => {
    expect(await plantsIn(this.service.stores)).toEqual(PLANTS);
  };

  /** The status for a token. It deletes nothing: the plant does not exist. */
  statusOf = async (token: string): Promise<number> => (await deletePlant(this.service, 404n, { token })).status;
}
