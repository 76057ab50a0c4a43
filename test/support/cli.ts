import { expectConformance, type WireResponse } from './conformance.ts';
import { contract } from './service.ts';

export type { Outcome } from './process.ts';
export * from './workplace.ts';
export * from './workplace-of-each-test.ts';

/** Deletes a plant over HTTP, as a client of that server would. */
export async function deletePlantAt(url: string, token: string, id: bigint | string): Promise<WireResponse> {
  const target = `${contract.basePaths[0] ?? ''}/plants/${id}`;
  const response = await fetch(url + target, { method: 'DELETE', headers: { Authorization: `Bearer ${token}` } });
  const wire = { status: response.status, headers: Object.fromEntries(response.headers), text: await response.text() };
  expectConformance('DELETE', target, wire);
  return wire;
}
