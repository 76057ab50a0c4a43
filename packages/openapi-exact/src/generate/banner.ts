/** Begins each generated module. */
export const BANNER = `/**
 * Generated from openapi.yaml by \`npm run generate\`. Do not edit: change the contract and run the
 * command again.
 */

`;
