import type { Contract } from 'openapi-exact/contract';
import type { FormatOption } from './format-option.ts';

/**
 * The TypeScript types of a contract as the service reads it. int64 becomes `bigint`, which holds
 * it exactly; `operations` holds the operations that are served, `securitySchemes` the kinds of
 * credentials, `webhooks` the requests that the service sends, those of callbacks included, and
 * `formats` the types of custom formats.
 */
export async function contractTypes(contract: Contract, formats: readonly FormatOption[] = []): Promise<string> {
  // Only types need the compiler, which takes longest to load of all.
  const { printTypes } = await import('./print-types.ts');
  return printTypes(contract, formats);
}
