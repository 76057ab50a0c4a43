import { createServer } from 'node:http';
import { port } from './settings.mjs';
let n = 0;
const HEAD = [
  'Cache-Control',
  'no-store',
  'Content-Security-Policy',
  "frame-ancestors 'none'",
  'X-Content-Type-Options',
  'nosniff',
];
createServer((q, r) => {
  r.writeHead(204, [...HEAD, 'X-Request-Id', 'kjshdfk-' + (n++).toString(36)]).end();
}).listen(port);
