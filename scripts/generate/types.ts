import openapiTypescript, { astToString, type SchemaObject } from 'openapi-typescript';
import ts from 'typescript';

const BANNER = `/**
 * Generated from openapi.yaml by \`npm run generate\`. Do not edit: change the contract and run the command again.
 */

`;

/** The TypeScript types of a contract. int64 becomes `bigint`, which holds it exactly. */
export async function contractTypes(contract: URL): Promise<string> {
  const nodes = await openapiTypescript(contract, { transform: int64AsBigint, silent: true });
  return BANNER + astToString(nodes);
}

function int64AsBigint(schema: SchemaObject): ts.TypeNode | undefined {
  if (!('format' in schema) || schema.format !== 'int64') return undefined;
  const bigint = ts.factory.createKeywordTypeNode(ts.SyntaxKind.BigIntKeyword);
  const types: readonly unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type];
  if (!types.includes('integer')) return undefined;
  return types.includes('null')
    ? ts.factory.createUnionTypeNode([bigint, ts.factory.createLiteralTypeNode(ts.factory.createNull())])
    : bigint;
}
