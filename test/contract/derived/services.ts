import { afterAll, beforeAll } from '@jest/globals';
import { startService, type Service, type ServiceOptions } from '../../support/service.ts';

const PLANTS = [1n, 2n];

/** Runs with a service of its own. */
export async function withService<T>(work: (service: Service) => Promise<T>, options?: ServiceOptions): Promise<T> {
  const service = await startService(PLANTS, undefined, options);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
}

/**
 * A service for all tests of a block that change nothing: starting one takes longer than such a
 * test.
 */
export function sharedService(): () => Service {
  let service: Service;
  beforeAll(async () => {
    service = await startService(PLANTS);
  });
  afterAll(() => service.close());
  return () => service;
}
