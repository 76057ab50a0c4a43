import { describe, expect, test } from '@jest/globals';
import { casesOf } from './cases.ts';
import { FRAMINGS, frame } from './framings.ts';
import { idsIn, neighbourOf, placeOf, plantsOfCases, SLOTS, targetOf } from './ids.ts';
import { mutate, type Mutation } from './mutations.ts';

const TOKENS = { valid: `plant_${'v'.repeat(33)}`, revoked: `plant_${'r'.repeat(33)}` };

describe('the cases', () => {
  const first = casesOf(1, TOKENS);
  const again = casesOf(1, TOKENS);
  const drawn = Array.from({ length: 1_000 }, (_, index) => first(index)).filter((one) => one !== undefined);

  test('of a seed are the same each time, in whatever order, and others than those of another seed', () => {
    for (const index of [999, 0, 500]) expect(again(index)).toEqual(first(index));
    const other = casesOf(2, TOKENS);
    expect(Array.from({ length: 10 }, (_, index) => other(index))).not.toEqual(drawn.slice(0, 10));
  });

  test('with the valid token name no plant but their own targets', () => {
    const authorised = drawn
      .map(({ index, pieces }) => ({ index, bytes: Buffer.concat(pieces) }))
      .filter(({ bytes }) => bytes.includes(TOKENS.valid));
    expect(authorised.length).toBeGreaterThan(200);
    for (const { index, bytes } of authorised) {
      const places = idsIn(bytes)
        .map(placeOf)
        .filter((place) => place !== undefined);
      expect(places.filter((place) => !place.isTarget || place.index !== index)).toEqual([]);
    }
  });

  test('are of all kinds: some whose answers are certain, some that may delete, some that may not, some in pieces', () => {
    const kinds = [
      drawn.filter(({ expected }) => expected?.includes(204)),
      drawn.filter(({ expected }) => expected?.every((status) => status === 401)),
      drawn.filter(({ mayDelete }) => mayDelete.size > 0),
      drawn.filter(({ mayDelete }) => mayDelete.size === 0),
      drawn.filter(({ pieces }) => pieces.length > 2),
      drawn.filter(({ ending }) => ending !== 'sentinel'),
    ];
    for (const kind of kinds) expect(kind.length).toBeGreaterThan(20);
  });

  test('have plants of their own, each with a neighbour', () => {
    const ids = [...plantsOfCases(0, 100)];
    expect(new Set(ids).size).toBe(100 * SLOTS * 2);
    for (let slot = 0; slot < SLOTS; slot++) {
      expect(placeOf(targetOf(7, slot))).toEqual({ index: 7, slot, isTarget: true });
      expect(placeOf(neighbourOf(7, slot))).toEqual({ index: 7, slot, isTarget: false });
    }
  });
});

test('an id is found in a path however it is written, and nowhere else', () => {
  const found = (text: string): bigint[] => idsIn(Buffer.from(text, 'latin1'));
  expect(found('DELETE /plants/12 HTTP/1.1\r\nX: 13\r\n\r\nDELETE http://h/plants/-14? HTTP/1.1')).toEqual([12n, -14n]);
  expect(found('DELETE /%70lants/%31%32 HTTP/1.1')).toEqual([12n]);
  expect(found('DELETE /plants/012 HTTP/1.1 /plants/12x /plants/1.0 /plants/-0 ')).toEqual([]);
});

test('a framing announces the length of its content, in chunks too', () => {
  const framed = FRAMINGS.map((framing) => frame(framing, 'abcdefghijklmnop'));
  expect(framed[0]).toEqual({ headers: ['Content-Length: 16'], body: 'abcdefghijklmnop' });
  expect(framed).toContainEqual({
    headers: ['Transfer-Encoding: chunked'],
    body: '11\r\nabcdefghijklmnop \r\n0\r\n\r\n',
  });
});

test.each([
  ['flip', 'abcfefghij'],
  ['overwrite', 'abcXYfghij'],
  ['delete', 'abcfghij'],
  ['duplicate', 'abcdedefghij'],
  ['move', 'abcfghdeij'],
  ['insert', 'abcXYdefghij'],
  ['truncate', 'abc'],
] as const)('a mutation of the kind %s leaves the original as it was', (kind, expected) => {
  const original = Buffer.from('abcdefghij');
  const bytes = kind === 'flip' ? Buffer.of(1) : Buffer.from('XY');
  const mutation: Mutation = { kind, at: 3_000, to: 8_000, length: 1_000, bytes };
  expect(mutate(original, mutation).toString()).toBe(expected);
  expect(original.toString()).toBe('abcdefghij');
});
