/** The generator of the client's tables, for tests that need the shape of one schema. */
export { contractShapes } from '../../packages/openapi-exact/src/generate/shapes.ts';
