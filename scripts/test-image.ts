/**
 * `npm run test:image`: carries out the Dockerfile without Docker, npm's installation and the compilation of better-sqlite3 included,
 * and runs the result in a root of its own, read-only, as another user and as process 1. Needs Linux and root. (`npm test` does the
 * same with the dependencies that are there already.)
 */
import { runJest } from './jest.ts';

/** Longer than npm ever takes, in milliseconds. */
const TIMEOUT = 1_800_000;

const { passed, failed } = await runJest(['test/deploy/image.test.ts'], { IMAGE_INSTALL: 'npm' }, TIMEOUT);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
