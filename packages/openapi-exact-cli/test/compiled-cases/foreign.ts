import { readFileSync } from 'node:fs';
import type { CompiledCase } from '../support/compile-cases.ts';

const contract = readFileSync(new URL('../fixtures/contracts/foreign.yaml', import.meta.url), 'utf8');

const program = `import type { Handlers, Verifiers } from 'openapi-exact';
import type { operations, securitySchemes, webhooks } from './openapi.d.ts';

export const handlers: Handlers<operations> = {
  getPlantsByIdLeaves: ({ params: { id } }) => {
    if (id === 0n) return { status: 404 };
    if (id === 1n) return { status: 500, body: 1n };
    if (id === 2n) return { status: 200, body: { pot: { owned: true }, plant: { kind: 'Tree', rings: 9 }, filter: ['a', ['b']] } };
    return { status: 200, body: { mother: null, grade: 1n, label: 'a', born: null, parts: 1n, some: 2n, size: 1, free: { any: 'thing' }, named: { $ref: 'a' } } };
  },
  grow: () => ({ status: 204 }),
  direct: ({ query, body }) => {
    const sent: readonly [bigint, number, string, bigint[]] = [query.json, query.text, query.words, query.list];
    const filtered: bigint | undefined = query.filter?.id;
    const user = body.users?.['a'] ?? { secret: 'a', choice: 'b' };
    const choice: string | undefined = user.choice;
    const named: string | undefined = body.named?.name;
    const by: string | undefined = body.bee?.by?.friends?.[0]?.secret;
    const nothing: undefined = body.bee?.by?.id ?? body.named?.id ?? user.id;
    const kinds: string | undefined = body.bee?.kind ?? body.ant?.kind;
    if (body.shape?.shape === 'edgy') void body.shape.size;
    // @ts-expect-error a property of the other alternative
    if (body.shape?.shape === 'Round') void body.shape.size;
    void [sent, filtered, choice, named, by, nothing, kinds];
    const friend = { id: 1n, choice: 2n };
    return {
      status: 200,
      headers: { 'X-Json': 1n },
      body: {
        users: { a: { id: 1n, choice: 'b', friends: [friend] } },
        named: { id: 'a', name: 'b' },
        bee: { kind: 'bee', by: friend },
        ant: { kind: 'Ant', legs: 6 },
        shape: { shape: 'Round', id: 1n },
      },
    };
  },
  state: ({ body: { wrapped, crab, either, both, beside, whole, mixed, preset, presets } }) => {
    const opens: (boolean | undefined)[] = [presets?.list?.[0]?.next?.next?.open, presets?.map?.['a']?.next?.open];
    for (const item of presets?.list ?? []) void [item.open satisfies boolean, item.next?.open satisfies boolean | undefined];
    if (presets?.map?.['a']?.next !== undefined) void (presets.map['a'].next.open satisfies boolean);
    // @ts-expect-error a property without a default
    void (presets?.map satisfies object);
    const known: readonly [string, string, bigint, number] = [wrapped.kind, crab.kind, both.id, both.size];
    const ids: readonly bigint[] = [either.id, beside.size, whole.size];
    void [known, ids, opens, mixed.name.length, preset satisfies number];
    return {
      status: 200,
      body: {
        wrapped: { kind: 'bee' },
        crab: { kind: 'Crab', legs: 10 },
        either: { id: 1n, a: 'a' },
        both: { id: 1n, size: 1 },
        beside: { id: 'a', name: 'b', size: 1n },
        whole: { size: 1n },
        mixed: { name: 'a', others: 1n },
      },
    };
  },
};
export const verifiers: Verifiers<securitySchemes> = {
  basic: ({ username }) => Promise.resolve({ name: username }),
  'api-key': (key) => Promise.resolve({ name: key }),
  oauth: (token) => Promise.resolve({ name: token }),
};
// @ts-expect-error a scheme without a verifier
export const missing: Verifiers<securitySchemes> = { basic: verifiers.basic, oauth: verifiers.oauth };
// @ts-expect-error a verifier of tokens for a user name and a password
export const other: Verifiers<securitySchemes> = { ...verifiers, basic: verifiers.oauth };
// @ts-expect-error the status of a range, which has no body, with the body of default
export const ranged: Handlers<operations>['getPlantsByIdLeaves'] = () => ({ status: 404, body: 1n });
export type Watered = webhooks['watered']['post']['responses'][204];
export type Grown = webhooks['grow/grown/{$request.query.url}']['post']['responses'][204];

// @ts-expect-error a property that another part of allOf requires
export const part: Handlers<operations>['state'] = ({ body }) => ({ status: 200, body: { ...body, whole: {} } });

export const wrong: Handlers<operations> = {
  // @ts-expect-error an int64 as a number
  getPlantsByIdLeaves: () => ({ status: 200, body: { mother: 1, born: 1n, parts: 1n } }),
  // @ts-expect-error an undeclared status
  grow: () => ({ status: 200 }),
  // @ts-expect-error a write-only property in a response
  direct: () => ({ status: 200, headers: { 'X-Json': 1n }, body: { users: { a: { id: 1n, choice: 'b', secret: 'c' } } } }),
  // @ts-expect-error a required property that is missing beside anyOf
  state: ({ body }) => ({ status: 200, body: { ...body, either: { a: 'a' } } }),
};
// @ts-expect-error an operation that is called, not served
export type Called = operations['grown'];
`;

export const FOREIGN: CompiledCase = { contract, program };
