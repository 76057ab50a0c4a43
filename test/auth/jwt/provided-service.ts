import { afterEach, beforeEach, expect } from '@jest/globals';
import { KEY_TIMES } from '../../../src/auth/jwt/provider-keys.ts';
import { startKeyServer, type KeyServer } from '../../support/key-server.ts';
import { RecordedLog } from '../../support/recorded-log.ts';
import { deletePlant } from '../../support/send.ts';
import { plantsIn, startService, type Service, type ServiceOptions } from '../../support/service.ts';

const PLANTS = [1n, 2n, 3n];

/** An identity provider, and a service that trusts it, both new for each test of a file. */
export interface ProvidedService {
  provider: KeyServer;
  service: Service;
  recorded: RecordedLog;
  /** Starts the service, which does not wait for the provider. */
  readonly start: (
    settings?: Partial<KeyServer['settings']>,
    times?: Partial<typeof KEY_TIMES>,
    options?: ServiceOptions,
  ) => Promise<void>;
  /** Expects that no plant was deleted. */
  readonly expectKept: () => Promise<void>;
  /** The status for a token. It deletes nothing: the plant does not exist. */
  readonly statusOf: (token: string) => Promise<number>;
}

/** The provider starts before each test, the service when the test says so. */
export function providedService(): ProvidedService {
  const at: Pick<ProvidedService, 'start' | 'expectKept' | 'statusOf'> = {
    start: async (settings = {}, times = {}, options = {}) => {
      provided.service = await startService(PLANTS, provided.recorded.log, {
        identityProvider: { ...provided.provider.settings, ...settings },
        keyTimes: { ...KEY_TIMES, ...times },
        ...options,
      });
    },
    expectKept: async () => {
      expect(await plantsIn(provided.service.stores)).toEqual(PLANTS);
    },
    statusOf: async (token) => (await deletePlant(provided.service, 404n, { token })).status,
  };
  // Complete when a test has started the service.
  const provided = at as ProvidedService;
  beforeEach(async () => {
    provided.provider = await startKeyServer();
    provided.recorded = new RecordedLog();
  });
  afterEach(async () => {
    await provided.service.close();
    await provided.provider.close();
  });
  return provided;
}
