import { afterAll, describe, expect, test } from '@jest/globals';
import type { Answer } from './support/contract-server.ts';
import { bodiesOf, rowsOf, serveRows, type Row, type SchemaServer } from './support/schema-rows.ts';

const MAX = 9223372036854775807n;
const BIG = 9007199254740993n;

/** Schemas that refer to each other. */
const COMPONENTS = `
    Node: { type: object, required: [id], properties: { id: *int, next: @Node } }
    Circle: { type: object, required: [kind, size], properties: { kind: { type: string }, size: *int } }
    Square: { type: object, required: [kind, size], properties: { kind: { type: string }, size: { type: number } } }
    Pet: { type: object, required: [kind], properties: { kind: { type: string } },
      discriminator: { propertyName: kind, mapping: { cat: '#/components/schemas/Cat' } } }
    Cat: { allOf: [@Pet, { type: object, required: [lives], properties: { lives: *int } }] }
    Id: *int
    Key: { <<: *int, readOnly: true }
    Secret: { type: string, writeOnly: true }
    Keyed: { required: [id, name], properties: { id: @Key, name: { type: string } }, type: object }
    Named: { type: object, required: [id, name], properties: { name: { type: string } } }
    Either:
      oneOf:
        - { type: object, required: [t, id], properties: { t: { const: a }, id: *int } }
        - { type: object, required: [t, id], properties: { t: { const: b }, id: { type: number } } }
    Vehicle: { type: object, required: [kind], properties: { kind: { type: string } }, oneOf: [@Car, @Bike],
      discriminator: { propertyName: kind, mapping: { car: '#/components/schemas/Car' } } }
    Car: { allOf: [@Vehicle, { properties: { seats: *int } }] }
    Bike: { allOf: [@Vehicle, { properties: { bell: { type: boolean } } }] }
    Loop: { allOf: [@Loop, { required: [id], properties: { id: *int } }] }
    Owned: { required: [owned, weight], properties: { owned: { type: boolean }, weight: *int } }
    Leased: { required: [owned], properties: { owned: { type: boolean }, level: { type: integer } } }
    Tree:
      oneOf:
        - { type: object, properties: { child: @Tree, kind: { const: a } }, required: [kind] }
        - { type: object, properties: { child: @Tree, kind: { const: b } }, required: [kind] }
    Odd: { properties: { 'a/b~c%': { $defs: { x: { type: string, maxLength: 2 } }, type: integer } } }
`;

// test/contract/oracle.test.ts has int64s in choices and lists, with any value.
const numbers = rowsOf(String.raw`
int64: *int
  ✓ 1n 1.0→1n 1e3→1000n -0→0n 9223372036854775807n 9007199254740993n -9223372036854775808n
    9007199254740993.0→9007199254740993n 9223372036854775807e0→9223372036854775807n
  ✗ 1.5 9223372036854775808 -9223372036854775809 1e400 "1" null true 1e-400 [1] 9007199254740993.5
int64 without a type: { format: int64 } ✓ 1n 1e18→1000000000000000000n "a" ✗ 1.5 9223372036854775808 1e400 1e-400
int64 or anything: { anyOf: [*int, true] } ✓ 1n 1.5 "a" ✗ 1e400 9007199254740993.5e400
int64 or null: { type: [integer, 'null'], format: int64 } ✓ null 9007199254740993n ✗ 1.5 "1"
int64 with bounds: { <<: *int, minimum: -5, exclusiveMaximum: 10 } ✓ -5n 9n ✗ -6 10 9007199254740993
a bound that is excluded as in 3.0: { <<: *int, maximum: 9, exclusiveMaximum: true } ✓ 8n ✗ 9
int64 of an enum: { <<: *int, enum: [1, 2] } ✓ 1n 2.0→2n ✗ 3 9007199254740993
a constant int64: { allOf: [*int, { const: 7 }] } ✓ 7n 7.0→7n ✗ 8 7.5
int64 or a short text: { oneOf: [{ <<: *int, maximum: 10 }, { type: string, maxLength: 1 }] }
  ✓ 10n "a" ✗ 11 "ab" 9007199254740993
int64 or int32: { anyOf: [{ type: integer, format: int32 }, { <<: *int, minimum: 100 }] }
  ✓ 5n 100n 9007199254740993n ✗ 1.5 -2147483649
a fraction or int64: { oneOf: [{ type: number, exclusiveMaximum: 1 }, { <<: *int, minimum: 1 }] } ✓ 0.5 1n 0n ✗ 1.5
no int64: { not: *int } ✓ 1.5 "a" ✗ 1 9223372036854775807
even int64s: { <<: *int, multipleOf: 2 } ✓ 9007199254740994n ✗ 9007199254740993 3
int64s that differ: { type: array, items: *int, uniqueItems: true }
  ✓ [9007199254740993n,9007199254740992n]
  ✗ [9007199254740993,9007199254740993] [1,1.0] [9007199254740993,9007199254740993.0]
references that differ: { type: array, items: @Id, uniqueItems: true }
  ✓ [9007199254740993n,9007199254740992n] ✗ [9007199254740993,9007199254740993] [1,1.0] ["a"]
a list that may contain anything beside an int64: { type: array, contains: { <<: *int, minimum: 100 } }
  ✓ [1n,9007199254740993n,"a",1.5] ✗ [1,2] ["9007199254740993"] [99,-9007199254740993]
int64s named like keywords:
    { type: object, properties: { default: *int, enum: { type: object, properties: { const: *int } } } }
  ✓ {"default":9007199254740993n,"enum":{"const":1n}} ✗ {"default":1.5}
int64s by any name: { unevaluatedProperties: *int } ✓ {"a":9007199254740993n} ✗ {"a":1.5}
int64s by any name, where another part names one:
    { allOf: [{ properties: { a: { type: number } } }, { unevaluatedProperties: *int }] }
  ✓ {"a":9007199254740993n} {"a":5n,"b":1n} ✗ {"a":1.5}
int64s behind all items of another part:
    { allOf: [{ prefixItems: [{ type: number }], maxItems: 1 }], unevaluatedItems: *int, maxItems: 2 }
  ✓ [1.5] [5] ✗ [9007199254740993] ["a"]
int64s by any other name: { allOf: [{ properties: { a: { type: number } } }], unevaluatedProperties: *int }
  ✓ {"a":1.5,"b":9007199254740993n} {"a":5} ✗ {"a":9007199254740993} {"b":1.5}
int64s by any other name than a choice has:
    { anyOf: [{ properties: { a: { type: number } }, required: [a] }, {}], unevaluatedProperties: *int }
  ✓ {"a":1.5,"b":9007199254740993n} {"b":5n} ✗ {"b":1.5}
an int64 that goes with another property:
    { properties: { a: *int }, dependentSchemas: { b: { properties: { a: { maximum: 5 } } } } }
  ✓ {"a":6n} {"a":5n,"b":1} ✗ {"a":6,"b":1}
an int64 under a condition:
    { type: object, if: { properties: { k: { const: i } }, required: [k] }, then: { properties: { v: *int } },
    else: { properties: { v: { type: number } } } }
  ✓ {"k":"i","v":9007199254740993n} {"k":"n","v":1n} {"v":1.5} {"k":"n","v":9007199254740993n}
  ✗ {"k":"i","v":1.5} {"k":"n","v":"a"}
an int64 that another property brings: { type: object, dependentSchemas: { a: { properties: { b: *int } } } }
  ✓ {"a":1,"b":9007199254740993n} {"b":1.5} {"b":9007199254740993n} ✗ {"a":1,"b":1.5}
no other properties than those of a condition that holds:
    { type: object, if: { properties: { k: { const: a } }, required: [k] }, else: { properties: { e: *int } },
    unevaluatedProperties: false }
  ✓ {"k":"a"} {"e":9007199254740993n} ✗ {"k":"b"} {"k":"b","e":1} {"k":"a","e":1}
no other properties than those of a pattern in a condition that holds:
    { type: object, if: { patternProperties: { '^k': { const: a } } }, then: { properties: { e: *int } },
    unevaluatedProperties: false }
  ✓ {"k":"a"} {"k":"a","e":9007199254740993n} {} ✗ {"k":"b"} {"k":"b","e":1} {"k":"a","f":1}
a choice that operations share: @Either
  ✓ {"t":"a","id":9007199254740993n} {"t":"b","id":1.5} {"t":"b","id":9007199254740993n}
  ✗ {"t":"a","id":1.5} {"t":"b","id":"a"}
a list of a choice that operations share: { type: array, items: @Either }
  ✓ [{"t":"a","id":9007199254740993n},{"t":"b","id":1n}] ✗ [{"t":"a","id":1.5}]
a number of the format int64: { type: number, format: int64 } ✓ 9007199254740993n 5n ✗ 1.5 9223372036854775808
an int64 in two parts: { allOf: [{ type: integer }, { format: int64 }] }
  ✓ 9007199254740993n 5n ✗ 1.5 9223372036854775808
int32: { type: integer, format: int32 } ✓ 2147483647 ✗ 2147483648 1.5
float: { type: number, format: float } ✓ 1.5 3.4e38 ✗ 3.5e38
cents: { type: number, multipleOf: 0.01 } ✓ 19.99 0.07 4.35 1e20 ✗ 19.995 0.001
an integer without format: { type: integer }
  ✓ 9007199254740991 1e3 ✗ 9007199254740992 9007199254740994 1e20 9223372036854775807 1.5 36028797018963968
a uint64: { type: integer, format: uint64 } ✓ 18446744073709551615n 5n ✗ -1 18446744073709551616 1.5
an integer whose bounds are beyond 2^53: { type: integer, minimum: 0, maximum: 18446744073709551615 }
  ✓ 18014398509481983n 5n ✗ -1 18446744073709551616 1.5
a negative integer whose bound is beyond 2^53: { type: integer, exclusiveMinimum: -9223372036854775809 }
  ✓ -9007199254740993n 1n ✗ -9223372036854775809
an integer of an enum beyond 2^53: { type: integer, enum: [1, 9007199254740993] }
  ✓ 1n 9007199254740993n ✗ 9007199254740992 2
a number of an enum beyond 2^53: { type: number, enum: [1, 1e21] } ✓ 1 1e21 1000000000000000000000→1e21 ✗ 1e20
a constant beyond 2^53: { const: 2e20 } ✓ 2e20 200000000000000000000→2e20 ✗ 1e20 200000000000000000001
a number: { type: number } ✓ 0.1000000000000000055 1e300 ✗ 9007199254740993 1e400 1e-400
anything: {} ✓ 1.5 {"a":[1]} ✗ 9007199254740993 [{"a":9223372036854775807}]
anything, as a boolean: true ✓ 1.5 {"a":[1]} ✗ 9007199254740993 [{"a":9223372036854775807}]
`);

const others = [
  ...rowsOf(String.raw`
a recursive schema: @Node ✓ {"id":1n,"next":{"id":9007199254740993n}} ✗ {"id":1,"next":{"id":1.5}} {"id":1,"next":{}}
a discriminator with a mapping:
    { oneOf: [@Circle, @Square], discriminator: { propertyName: kind,
    mapping: { round: '#/components/schemas/Circle', edgy: Square } } }
  ✓ {"kind":"round","size":9007199254740993n} {"kind":"edgy","size":1n} {"kind":"edgy","size":1.5}
  ✗ {"kind":"Circle","size":1} {"kind":"round","size":1.5} {"size":1} {"kind":7,"size":1} []
a discriminator without mapping, in a list:
    { items: { anyOf: [@Circle, @Square], discriminator: { propertyName: kind } } }
  ✓ [{"kind":"Circle","size":1n}] [{"kind":"Square","size":2n}] ✗ [{"kind":"Oval","size":1}]
a property with a choice beside a reference:
    { $ref: '#/components/schemas/Node', properties: { x: { $ref: '#/components/schemas/Node',
    oneOf: [@Circle, @Square], discriminator: { propertyName: kind } } } }
  ✓ {"id":1n,"x":{"id":2n,"kind":"Circle","size":3n}}
  ✗ {"id":1,"x":{"kind":"Circle","size":3}} {"id":1,"x":{"id":2,"kind":"Circle"}} {"id":1,"x":{"id":2}}
a discriminator that is a boolean:
    { oneOf: [@Owned, @Leased], discriminator: { propertyName: owned, mapping: { 'true': Owned, 'false': Leased } } }
  ✓ {"owned":true,"weight":9007199254740993n} {"owned":false} {"owned":false,"weight":1.5}
  ✗ {"owned":true} {"owned":"true","weight":1} {"owned":"false"} {"owned":null} {"weight":1}
a discriminator that is a number:
    { anyOf: [@Leased], discriminator: { propertyName: level, mapping: { '1': '#/components/schemas/Leased' } } }
  ✓ {"owned":true,"level":1} {"owned":true,"level":1.0}→{"owned":true,"level":1}
  ✗ {"level":1} {"owned":true,"level":2} {"owned":true,"level":"1"}
a base that is one of its heirs: @Vehicle
  ✓ {"kind":"car","seats":9007199254740993n} {"kind":"Bike","bell":true} {"kind":"Bike","seats":1.5}
  ✗ {"kind":"car","seats":1.5} {"kind":"Bike","bell":1} {"kind":"boat"} {"seats":1}
an heir in a list: { items: @Car } ✓ [{"kind":"car","seats":1n}] ✗ [{"kind":"car","seats":1.5}] [{"seats":1}]
a schema that extends itself: @Loop ✓ {"id":9007199254740993n} ✗ {} {"id":1.5}
a discriminator for schemas that inherit: @Pet ✓ {"kind":"cat"} ✗ {}
a schema that inherits: @Cat ✓ {"kind":"cat","lives":9n} ✗ {"kind":"cat"} {"lives":9} {"kind":"cat","lives":1.5}
a read-only property behind a reference: @Keyed ✓ {"name":"a"} ✗ {"name":"a","id":1} {"name":"a","id":null} {}
a read-only property that another part requires:
    { allOf: [@Named, { properties: { id: { <<: *int, readOnly: true } } }] }
  ✓ {"name":"a"} ✗ {"name":"a","id":1} {}
read-only properties by pattern, and any others:
    { properties: { a: *int }, patternProperties: { '^_': { type: string, readOnly: true } },
    additionalProperties: @Key }
  ✓ {"a":1n} ✗ {"a":1,"_a":"b"} {"a":1,"b":1}
properties that are read-only unless they are declared:
    { properties: { a: *int }, unevaluatedProperties: { readOnly: true } }
  ✓ {"a":1n} ✗ {"a":1,"b":1}
a property that is read-only in one alternative:
    { required: [id, a], properties: { a: *int, id: { anyOf: [@Key, { type: 'null' }] } },
    dependentRequired: { a: [id] } }
  ✓ {"a":1n} {"a":1n,"id":null} ✗ {"a":1,"id":2} {"a":1,"id":"x"} {"id":null}
a required property elsewhere: @Named ✓ {"name":"a","id":1} ✗ {"name":"a"}
a read-only property beside a reference:
    { type: object, required: [x], properties: { x: { $ref: '#/components/schemas/Node', readOnly: true } } }
  ✓ {} ✗ {"x":{"id":1}}
a write-only property: { type: object, required: [s], properties: { s: @Secret } } ✓ {"s":"a"} ✗ {}
keywords beside a reference: { $ref: '#/components/schemas/Node', unevaluatedProperties: false, maxProperties: 1 }
  ✓ {"id":1n} ✗ {"id":1,"x":1} {"id":1,"next":{"id":1}}
defaults: { type: object, properties: { a: { <<: *int, default: 5 }, b: { type: object, default: { c: [1] } } } }
  ✓ {}→{"a":5n,"b":{"c":[1]}} {"a":6}→{"a":6n,"b":{"c":[1]}} ✗ []
a default of another type, which is none:
    { properties: { a: { type: string, default: null }, b: { type: [string, 'null'], default: null }, c: { default: },
    d: { type: integer, default: '1' }, e: { <<: *int, default: 1.5 }, f: { type: number, default: 2 },
    g: { <<: *int, default: 9007199254740993 }, h: { type: [array, object], default: [1] } } }
  ✓ {}→{"b":null,"c":null,"f":2,"g":9007199254740993n,"h":[1]} ✗ {"a":null}
the default of a read-only property:
    { properties: { a: { type: integer, default: 5, readOnly: true }, b: { allOf: [@Key], default: 6 } },
    allOf: [{ properties: { c: { default: x } }, required: [c] }, { properties: { c: { readOnly: true } } }] }
  ✓ {} ✗ {"a":5} {"b":6} {"c":"x"}
a pattern that needs no u flag: { pattern: '^[\w-.].?\-$' } ✓ "-🌱-" ✗ "\u0020b-"
a pattern that is none with the u flag: { pattern: '^.\Z$' } ✓ "aZ" ✗ "a" "🌱Z"
a length in code points: { maxLength: 1 } ✓ "🌱" ✗ "ab"
a pattern with a flag: { pattern: '(?i)^\p{L}+$' } ✓ "Ab" "äÖ" ✗ "a1"
a pattern with a flag inside: { pattern: '^([^\s]+(\.(?i)(jpeg|pdf))$)' }
  ✓ "a.PDF" "a.jpeg" "B.Jpeg" ✗ "a.pd" "a." "pdf"
a pattern whose flag decides: { pattern: '(?i)^[a-z]$' } ✓ "A" ✗ "1"
keywords without values: { type: string, maxLength: , pattern: , enum: , required: , $ref: } ✓ "a" ✗ 1
an empty enum: { type: object, properties: { none: { enum: [] } } } ✓ {} ✗ {"none":1}
pattern properties: { type: object, patternProperties: { '^i': *int }, additionalProperties: false }
  ✓ {"i1":1n} ✗ {"x":1} {"i":1.5}
pattern properties beside a choice that fails:
    { patternProperties: { '^i': *int }, anyOf: [{ properties: { i: { const: 2 } } }, {}] }
  ✓ {"i":3n} ✗ {"i":"a"}
a pattern of properties that needs no u flag:
    { type: object, patternProperties: { '^[\w-\.]+\_]{$': *int }, additionalProperties: false }
  ✓ {"a-._]{":1n} ✗ {"a_b":1} {"a_]{":1.5}
a reference into a schema: { $ref: '#/components/schemas/Odd/properties/a~1b~0c%25/$defs/x' } ✓ "ab" ✗ "abc" 1
a tuple beside a property that must not be:
    { prefixItems: [{}], items: false,
    anyOf: [{ dependentSchemas: { a: { not: true, prefixItems: [{}], items: false } } }] }
  ✓ "a" [1] {} ✗ [1,2] {"a":1}
property names: { propertyNames: { maxLength: 1 } } ✓ {"a":1} ✗ {"ab":1}
a tuple: { type: array, prefixItems: [*int, { type: string }], items: false, minItems: 2 }
  ✓ [9007199254740993n,"a"] ✗ [1] ["a",1] [1,"a",1]
a tuple with any rest: { type: array, prefixItems: [*int, { type: string }] }
  ✓ [] [9007199254740993n] [1n,"a"] [1n,"a",1.5,null] ✗ ["a"] [1,2] [1,2,3]
a tuple with a rest of int64s: { prefixItems: [{ type: string }], items: *int, minItems: 1 }
  ✓ ["a"] ["a",1n,9007199254740993n] "b" ✗ [] [1] ["a",1.5]
a tuple that may be shorter: { prefixItems: [*int, { type: string }], items: false }
  ✓ [9007199254740993n,"a"] [9007199254740993n] [] "a" ✗ ["a"] [1,1] [1,"a",1]
a tuple with a bounded rest:
    { type: array, prefixItems: [{ type: string }], items: *int, minItems: 1, maxItems: 3, uniqueItems: true }
  ✓ ["a"] ["a",9007199254740993n,1n] ✗ [] [1] ["a","b"] ["a",1,1] ["a",1,2,3]
`),
  ...formats({
    date: ['2024-02-29 0001-01-01', '2023-02-29 2024-13-01 2024-1-1 2024-02-29T00:00:00Z'],
    'date-time': [
      '2024-01-01T00:00:00Z 2024-01-01t23:59:59.5+01:00 2016-12-31T23:59:60Z 2017-01-01T00:59:60+01:00',
      '2024-01-01_00:00:00Z 2024-01-01T00:00:00 2024-01-01T00:00:00+0100 2024-01-01T12:00:60Z 2024-01-01T24:00:00Z',
    ],
    time: ['12:00:00Z', '12:00:00 12:60:00Z'],
    duration: ['P1D PT1H', '1D P'],
    byte: [' YWJj YQ==', 'YQ a_b= YWJj\\n!!!!'],
    uuid: ['123e4567-e89b-12d3-a456-426614174000', 'urn:uuid:123e4567-e89b-12d3-a456-426614174000 123e4567'],
    uri: ['https://example.com/a?b#c urn:a:b', '/a a_b'],
    'uri-reference': ['/a #b', 'a_b'],
    email: [
      String.raw`a@example.com a@localhost a.b+c'@x.y \"a@_b\"@c.d a@[127.0.0.1] a@[IPv6:::1]`,
      String.raw`a @b a@ a.@b .a@b a_b@c a@b. a@-b \"a\"b\"@c a@[127.0.0] a@[::1]`,
    ],
    hostname: ['example.com a A.b 1.2', '-a a. a- a..b a_b a,b'],
    ipv4: ['127.0.0.1', '256.0.0.1'],
    ipv6: ['::1', '1'],
    regex: ['a+', '('],
    'json-pointer': ['/a/b ', 'a'],
    password: ['anything'],
    unheardof: ['anything'],
  }),
];

/** Properties with names that every object has. */
const inherited = rowsOf(`
optional properties with names that every object has:
    { type: object, additionalProperties: false, dependentRequired: { constructor: [a] }, properties: {
    constructor: *int, toString: { properties: { valueOf: *int } }, a: {} } }
  ✓ {} {"toString":{}} {"constructor":9007199254740993n,"a":1}
    {"toString":{"valueOf":9007199254740993n}}
  ✗ {"constructor":1} {"toString":{"valueOf":"a"}} {"valueOf":1}
names that every object has, by a pattern: { type: object, patternProperties: { '^[a-z]+$': *int } }
  ✓ {"a":1n,"constructor":9007199254740993n,"valueOf":"V"} ✗ {"a":"a"} {"constructor":"a"}
no names that every object has: { propertyNames: { not: { enum: [constructor, valueOf] } } }
  ✓ {"a":1,"toString":2} ✗ {"constructor":1} {"valueOf":1}
names that every object has, by their length and pattern:
    { propertyNames: { minLength: 2, maxLength: 11, pattern: '^[a-z]+$' } }
  ✓ {"aa":1,"constructor":1} ✗ {"a":1} {"valueOf":1} {"aaaaaaaaaaaa":1} {"constructor\\u0000":1} {"a\\u0000a":1}
required properties with names that every object has:
    { type: object, required: [toString], dependentSchemas: { valueOf: { required: [constructor] } } }
  ✓ {"toString":1} {"toString":1,"valueOf":2,"constructor":3} ✗ {} {"valueOf":1} {"toString":1,"valueOf":2}
`);

/** Schemas for which no property has such a name, but a message may. */
const compared = rowsOf(`
objects that differ: { type: array, uniqueItems: true }
  ✓ [{"toString":"a"},{"valueOf":1},{"valueOf":2}]
  ✗ [{"valueOf":1},{"valueOf":1}] [{"constructor":{"a":1}},{"constructor":{"a":1}}]
a tree of alternatives: @Tree
  ✓ {"child":{"child":{"kind":"b"},"kind":"b"},"kind":"a"} ✗ {"child":{"child":{},"kind":"b"},"kind":"a"}
a list of many that differ: { type: array, uniqueItems: true, maxItems: 2000 }
  ✓ [{"a":1,"b":[{}]},{"a":1,"b":[]},{"a":1},1,"1",[],[[]],{"#repeated":true},null,{}]
  ✗ [{"a":1,"b":[{}]},{},{"b":[{}],"a":1.0}] [1,1] [1,[2],{},[2.0]] ["a",{},"a"] [null,null]
lists in lists that differ: { items: { uniqueItems: true }, not: { uniqueItems: true } }
  ✓ [[{}],[{}]] [{},{}] [1,1,[]] ✗ [[{}],[{"a":1}]] [[{},{}],[{},{}]] [{}]
items that differ, judged by none: { uniqueItems: true, unevaluatedItems: { type: object } }
  ✓ [{},{"a":1}] ✗ [1,{}] [{},{}]
an object of an enum: { enum: [{ a: 1 }, {}] } ✓ {"a":1} {} ✗ {"valueOf":2}
no other properties than those of a choice:
    { anyOf: [{ properties: { a: {} }, required: [a] }, { required: [b] }], unevaluatedProperties: false }
  ✓ {"a":1} ✗ {"a":1,"constructor":1}
`);

/** Rows for formats of texts, in which `_` stands for a space. */
function formats(all: Readonly<Record<string, readonly [valid: string, invalid?: string]>>): Row[] {
  const texts = (list?: string): string[] => list?.split(' ').map((one) => `"${one.replace('_', '\\u0020')}"`) ?? [];
  return Object.entries(all).map(([format, [valid, invalid]]) => [
    `the format ${format}`,
    `{ type: string, format: ${format} }`,
    texts(valid).join(' '),
    [...texts(invalid), '1'].join(' '),
  ]);
}

// Names that one schema uses are special in the whole contract.
const sets = [[...numbers, ...others], inherited, ...compared.map((row) => [row])];
const rows = sets.flat();
const servers = await Promise.all(sets.map((set) => serveRows(set, { components: COMPONENTS })));
afterAll(() => Promise.all(servers.map((server) => server.close())));

function serverOf(name: string): SchemaServer {
  const server = servers[sets.findIndex((set) => set.some((row) => row[0] === name))];
  if (server === undefined) throw new Error(`There is no row ${name}.`);
  return server;
}
const post = (name: string, body: string): Promise<Answer> => serverOf(name).post(name, body);

test.each(rows)('a request body of %s is accepted or refused by what its schema says', async (...row) => {
  await serverOf(row[0]).expectJudged(row);
});

describe('a response', () => {
  /** Posts the first valid body, and is answered with what the handler returns. */
  function answerTo(name: string, body: unknown): Promise<Answer> {
    const [first] = rows.filter((row) => row[0] === name).flatMap(bodiesOf);
    return serverOf(name).post(name, first?.sent ?? '', { status: 200, body });
  }

  test.each<[string, unknown, string]>([
    ['int64', MAX, String(MAX)],
    ['int64', 1, '1'],
    ['int64 or a short text', 10n, '10'],
    ['int64s that differ', [BIG, BIG - 1n], `[${BIG},${BIG - 1n}]`],
    ['a number', 1e300, '1e+300'],
    ['an integer without format', 9007199254740991, '9007199254740991'],
    ['a uint64', 2n ** 64n - 1n, '18446744073709551615'],
    ['a number of an enum beyond 2^53', 1e21, '1e+21'],
    ['a read-only property behind a reference', { id: BIG, name: 'a' }, `{"id":${BIG},"name":"a"}`],
    ['a write-only property', {}, '{}'],
    ['optional properties with names that every object has', {}, '{}'],
    ['int64 or null', null, 'null'],
  ])('of %s is sent exactly: %j', async (name, body, sent) => {
    expect(await answerTo(name, body)).toMatchObject({ status: 200, text: sent });
  });

  test.each<[string, unknown]>([
    ['int64', MAX + 1n],
    ['int64', 2 ** 53],
    ['int64', 1.5],
    ['int64 or a short text', 11n],
    ['int64s that differ', [BIG, BIG]],
    ['an integer without format', 1.5],
    ['an integer without format', 2 ** 53],
    ['a uint64', 2 ** 60],
    ['a read-only property behind a reference', { name: 'a' }],
    ['a write-only property', { s: 'a' }],
    ['required properties with names that every object has', {}],
    ['cents', 19.995],
    ['a number', NaN],
    ['no int64', NaN],
    ['no int64', { ratios: [1, -Infinity] }],
  ])('of %s with a wrong value is a mistake of the handler: %p', async (name, body) => {
    expect(await answerTo(name, body)).toMatchObject({ status: 500 });
  });
});

test.each<[string, number, (index: number) => unknown]>([
  ['references that differ', 18_000, (index) => index],
  ['objects that differ', 9_000, (index) => ({ a: index })],
])(
  'a long list of %s is compared in a moment',
  async (name, length, item) => {
    const items = Array.from({ length }, (_, index) => item(index));
    expect(await post(name, JSON.stringify(items))).toMatchObject({ status: 204 });
    expect(await post(name, JSON.stringify([item(0), ...items]))).toMatchObject({ status: 400 });
  },
  5000,
);

test('deep alternatives that a constant tells apart are judged in a moment', async () => {
  const deep = Array.from({ length: 24 }).reduce<object>((child) => ({ child, kind: 'b' }), { kind: 'a' });
  expect(await post('a tree of alternatives', JSON.stringify(deep))).toMatchObject({ status: 204 });
  const wrong = JSON.stringify(deep).replace('"a"', '"c"');
  expect(await post('a tree of alternatives', wrong)).toMatchObject({ status: 400 });
}, 8000);

test('requests with large integers do not disturb each other', async () => {
  const list = (from: bigint): string =>
    JSON.stringify(Array.from({ length: 50 }, (_, index) => String(from + BigInt(index)))).replaceAll('"', '');
  const answers = await Promise.all(
    Array.from({ length: 20 }, async (_, index) =>
      post('int64s that differ', index % 2 === 0 ? list(BIG + BigInt(index)) : `[${BIG},${BIG}]`),
    ),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map((_, index) => (index % 2 === 0 ? 204 : 400)));
});
