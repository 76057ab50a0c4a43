import { assertedKeywords } from './asserted-keywords.ts';
import { assertionFormats } from './assertion-formats.ts';
import { conditions } from './conditions.ts';
import { constants } from './constants.ts';
import { containedItems } from './contained-items.ts';
import { contradictions } from './contradictions.ts';
import { discriminators } from './discriminators.ts';
import { distinctItems } from './distinct-items.ts';
import { innerSchemas } from './inner-schemas.ts';
import { longEnums } from './long-enums.ts';
import { namePatterns } from './name-patterns.ts';
import { numericTypes } from './numeric-types.ts';
import { references } from './references.ts';
import { requiredNames } from './required-names.ts';
import type { Step } from './step.ts';
import { tuples } from './tuples.ts';

/** From a schema of the contract to the one that the validator gets, in this order. */
export const STEPS: readonly Step[] = [
  // First what stays a keyword, with the schemas in it rewritten:
  assertedKeywords,
  innerSchemas,
  requiredNames,
  numericTypes,
  constants,
  // then what the validator would do slowly, or not exactly:
  longEnums,
  assertionFormats,
  distinctItems,
  containedItems,
  // then what it misreads:
  conditions,
  tuples,
  contradictions,
  namePatterns,
  // and last what moves all else into allOf, or takes a choice out of it.
  references,
  discriminators,
];
