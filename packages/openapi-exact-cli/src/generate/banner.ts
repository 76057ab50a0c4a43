/** Begins each generated module. */
export const BANNER = `/**
 * Generated from the contract by \`openapi-exact generate\`. Do not edit: change the contract and
 * run the command again.
 */

`;
