import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import type { TokenRecord, TokenStore } from '../../../src/auth/tokens/token-store.ts';
import { createToken, hashToken } from '../../../src/auth/tokens/token.ts';
import { TokenVerifier } from '../../../src/auth/tokens/verify-token.ts';
import { StoreError } from '../../../src/errors.ts';

/** A token store in memory that counts the questions it is asked. */
class MemoryTokens implements Pick<TokenStore, 'findToken' | 'markTokenUsed'> {
  readonly records = new Map<string, TokenRecord>();
  lookups = 0;
  readonly used: string[] = [];
  /** What the store fails with, when it fails. */
  failure: StoreError | undefined;
  /** How long an answer is on its way, in milliseconds. */
  latency = 0;

  add(name = 'shop', more: Partial<TokenRecord> = {}): string {
    const token = createToken();
    const record = { name, createdAt: 0, expiresAt: null, revokedAt: null, lastUsedAt: Date.now(), ...more };
    this.records.set(hashToken(token), record);
    return token;
  }
  async findToken(hash: string): Promise<TokenRecord | undefined> {
    this.lookups++;
    const record = this.records.get(hash);
    await pause(this.latency);
    if (this.failure !== undefined) throw this.failure;
    return record;
  }
  markTokenUsed(name: string): Promise<void> {
    this.used.push(name);
    return this.failure === undefined ? Promise.resolve() : Promise.reject(this.failure);
  }
}

let store: MemoryTokens;
let unnoted: unknown[];
/** A verifier that may look every token up. */
let verify: (token: string) => Promise<TokenRecord | undefined>;
beforeEach(() => {
  store = new MemoryTokens();
  unnoted = [];
  const note = (error: unknown): number => unnoted.push(error);
  const verifier = new TokenVerifier(store, note, () => {});
  verify = async (token) => verifier.known(token) ?? (await verifier.verify(token));
});
afterEach(() => {
  jest.restoreAllMocks();
});

describe('a token', () => {
  test('that is mistyped causes no lookup', async () => {
    const token = store.add();
    const mistyped = ['', 'x', token.slice(1), `${token}0`, token.replace(/.$/, token.endsWith('0') ? '1' : '0')];
    for (const wrong of mistyped) expect(await verify(wrong)).toBeUndefined();
    expect(store.lookups).toBe(0);
  });

  test('that was unknown is accepted as soon as it is created', async () => {
    const token = store.add();
    const [entry] = [...store.records];
    store.records.clear();
    expect(await verify(token)).toBeUndefined();
    if (entry !== undefined) store.records.set(...entry);
    expect(await verify(token)).toMatchObject({ name: 'shop' });
  });

  test('is invalid from the moment it expires, although it is remembered', async () => {
    const expiresAt = Date.now() + 1_000_000;
    const token = store.add('brief', { expiresAt });
    expect(await verify(token)).toMatchObject({ name: 'brief' });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(expiresAt - 1);
    expect(await verify(token)).toMatchObject({ name: 'brief' });
    clock.mockReturnValue(expiresAt);
    expect(await verify(token)).toBeUndefined();
    expect(store.lookups).toBe(1);
  });
});

describe('the token cache', () => {
  test('expires 5 seconds after the lookup began, so that a revoked token is refused then', async () => {
    const token = store.add();
    const asked = performance.now();
    const clock = jest.spyOn(performance, 'now').mockReturnValue(asked);
    store.latency = 10;
    const first = verify(token);
    for (const [hash, record] of store.records) store.records.set(hash, { ...record, revokedAt: Date.now() });
    clock.mockReturnValue(asked + 2_500);
    expect(await first).toMatchObject({ name: 'shop' });
    // A clock that is set back makes none of it last longer.
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 86_400_000);
    // The memory reads its clock once in a millisecond at most.
    await pause(20);
    clock.mockReturnValue(asked + 4_999);
    expect(await verify(token)).toMatchObject({ name: 'shop' });
    await pause(20);
    clock.mockReturnValue(asked + 5_001);
    expect(await verify(token)).toBeUndefined();
  });

  test('is bounded: of 10,001 tokens the first is evicted', async () => {
    // Beside other programs so many lookups may take longer than the cache keeps a token.
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const tokens = Array.from({ length: 10_001 }, (_, index) => store.add(`token-${index}`));
    await Promise.all(tokens.map(async (token) => await verify(token)));
    expect(store.lookups).toBe(10_001);
    await verify(tokens.at(-1) ?? '');
    expect(store.lookups).toBe(10_001);
    await verify(tokens[0] ?? '');
    expect(store.lookups).toBe(10_002);
  });

  test('shares one lookup among concurrent requests, and none that failed with the next request', async () => {
    const [known, alsoKnown] = [store.add('a'), store.add('b')];
    store.failure = new StoreError('down', 'nothing done');
    await Promise.all([1, 2, 3].map(() => expect(verify(known)).rejects.toBe(store.failure)));
    expect(store.lookups).toBe(1);
    store.failure = undefined;
    const unknown = createToken();
    const asked = [known, alsoKnown, unknown, known, alsoKnown, unknown];
    const found = await Promise.all(asked.map(async (token) => await verify(token)));
    expect(found.map((record) => record?.name)).toEqual(['a', 'b', undefined, 'a', 'b', undefined]);
    expect(store.lookups).toBe(4);
  });
});

describe('the last use of a token', () => {
  const now = Date.now();
  test.each([
    ['once when it was never used', null, ['shop']],
    ['once when it was used a minute ago', now - 60_000, ['shop']],
    ['not when it was used less than a minute ago', now - 59_999, []],
  ])('is noted %s', async (_name, lastUsedAt, used) => {
    // On a busy machine a minute may pass until this test runs.
    jest.spyOn(Date, 'now').mockReturnValue(now);
    jest.spyOn(performance, 'now').mockReturnValue(performance.now());
    const token = store.add('shop', { lastUsedAt });
    await Promise.all([verify(token), verify(token)]);
    await verify(token);
    expect(store.used).toEqual(used);
  });

  test('that cannot be stored is logged, and the request is accepted', async () => {
    const failure = new StoreError('disk full', 'nothing done');
    jest.spyOn(store, 'markTokenUsed').mockRejectedValue(failure);
    const token = store.add('shop', { lastUsedAt: null });
    expect(await verify(token)).toMatchObject({ name: 'shop' });
    expect(unnoted).toEqual([failure]);
  });
});
