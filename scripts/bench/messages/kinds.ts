import type { RepeatedRequest } from '../load.ts';
import type { Check } from '../servers.ts';

export const TOKEN = 'a-token-of-the-bench';

/** A kind of message: the request that is sent, and the response that each server must give. */
export interface MessageKind extends Check {
  /** What the tables call it. */
  readonly name: string;
  /** A round takes so many times as long as others: a server must answer many in it. */
  readonly longer?: number;
}

const JSON_TYPE = { 'Content-Type': 'application/json' };
const FORM_TYPE = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** The messages that are measured, in the order of the page. */
export const MESSAGE_KINDS: readonly MessageKind[] = [
  withOrder(5),
  withOrder(50),
  { ...withOrder(1_510), longer: 4 },
  { name: 'list of 100 items as response', request: request('GET', '/plants?limit=100'), status: 200 },
  { name: 'query of ten parameters', request: request('GET', `/search?${searchQuery()}`), status: 204 },
  { name: 'form of six fields', request: request('POST', '/messages', FORM_TYPE, formText()), status: 204 },
  { name: 'no body, `DELETE /plants/12`', request: request('DELETE', '/plants/12'), status: 204 },
];

/** An order with this many lines, which comes back unchanged. */
function withOrder(lines: number): MessageKind {
  const order = {
    customerId: 730_145_220_118,
    placedAt: '2026-11-28T09:30:00Z',
    isGift: false,
    note: 'Ring twice',
    lines: Array.from({ length: lines }, (_, index) => ({
      plantId: 4_500_000 + index,
      quantity: 1 + (index % 9),
      price: 4.25 + (index % 50),
      label: `Rosa ${index}`,
    })),
  };
  const body = JSON.stringify(order);
  return {
    name: `JSON of ${sizeOf(body)} both ways`,
    request: request('POST', '/orders?dryRun=true&limit=20', JSON_TYPE, body),
    status: 200,
    json: order,
  };
}

/** The size of a text: 0.4 KB, 3 KB, 100 KB. */
function sizeOf(text: string): string {
  const kilobytes = Buffer.byteLength(text) / 1000;
  return `${kilobytes < 1 ? kilobytes.toFixed(1) : Math.round(kilobytes)} KB`;
}

function request(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): RepeatedRequest {
  const all = { Authorization: `Bearer ${TOKEN}`, ...headers };
  return body === undefined ? { method, path, headers: all } : { method, path, headers: all, body };
}

function searchQuery(): string {
  const query = new URLSearchParams({
    q: 'rosa damascena',
    family: 'rose',
    minPrice: '4.25',
    maxPrice: '99.5',
    inStock: 'true',
    addedSince: '2026-01-01',
    after: '4500000000012',
    limit: '20',
    sort: 'price',
    height: '120',
  });
  // express-openapi-validator refuses a plus.
  return query.toString().replaceAll('+', '%20');
}

function formText(): string {
  return new URLSearchParams({
    name: 'Ada Example',
    email: 'ada@example.com',
    text: 'Does the rose like shade? It stands behind the house, to the north.',
    plantId: '4500000000012',
    copies: '2',
    isUrgent: 'true',
  }).toString();
}
