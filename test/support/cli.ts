import { afterEach, beforeEach } from '@jest/globals';
import { expectConformance, type WireResponse } from './conformance.ts';
import { contract } from './service.ts';
import { Workplace } from './workplace.ts';

export * from './workplace.ts';

/** A new workplace for each test of a file, removed behind it. */
export function workplaceOfEachTest(): Workplace {
  const place = new Workplace();
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
