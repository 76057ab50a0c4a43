import { writeSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * A reporter of jest that names the first test that fails and ends the run: jest's own `--bail`
 * runs the file to its end. Jest loads reporters as JavaScript.
 */
export default class FirstFailure {
  onTestCaseResult({ path }, { status, fullName }) {
    if (status === 'failed') end(path, fullName);
  }

  /** A file that cannot be loaded, or whose hooks fail, may have no failing test. */
  onTestFileResult({ path }, { failureMessage }) {
    if (failureMessage) end(path, failureMessage.replace(/^.*failed to run\s*/s, '').split('\n')[0]);
  }
}

function end(path, what) {
  writeSync(1, `FIRST FAILURE ${relative(process.cwd(), path)}: ${what}\n`);
  process.exit(1);
}
