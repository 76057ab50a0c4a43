/**
 * Spares a program that tests start what test/support/unused-schema.json spares the tests: Node.js
 * loads this before it (https://nodejs.org/api/cli.html#-r---require-module).
 */
const path = require('node:path');

const UNUSED = './unused-schema.json';
require(UNUSED);
const framework = path.join(require.resolve('express-openapi-validator'), '../framework');
for (const name of ['openapi.v3.schema.json', 'openapi.v3_1.modified.schema.json']) {
  require.cache[path.join(framework, name)] = require.cache[require.resolve(UNUSED)];
}
