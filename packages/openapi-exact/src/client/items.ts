/**
 * Reads and writes the items of sequential media types, and bodies that are streams. A call that
 * needs it imports it, so that other pages do not load it: what the client has anyway is an
 * argument here, not an import.
 */
export { chunksOf, readItems } from './read-items.ts';
export { ItemWriter, RequestItems } from './request-items.ts';
export { responseStream } from './response-stream.ts';
