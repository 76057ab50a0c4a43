/**
 * Spares a program that tests start what test/support/unused-schema.json spares the tests: Node.js
 * loads this before it (https://nodejs.org/api/cli.html#-r---require-module).
 */
const { Module } = require('node:module');
const { dirname, join } = require('node:path');

const unused = new Module(join(__dirname, 'unused-schema.json'));
unused.exports = require('./unused-schema.json');
unused.loaded = true;
const framework = join(dirname(require.resolve('express-openapi-validator')), 'framework');
for (const name of ['openapi.v3.schema.json', 'openapi.v3_1.modified.schema.json']) {
  require.cache[join(framework, name)] = unused;
}
