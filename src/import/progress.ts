/** Where progress is shown: standard error, if it is a terminal. */
export type ProgressTerminal = NodeJS.WritableStream;

const WIDTH = 30;
/** Milliseconds between two updates. */
const UPDATE_INTERVAL = 100;

/**
 * Shows a progress bar; without a terminal, nothing.
 * @param total in the unit of `advance`; undefined if unknown.
 */
export function showProgress(
  terminal: ProgressTerminal | undefined,
  label: string,
  total: number | undefined,
): { advance: (by: number) => void; end: () => void } {
  let done = 0;
  let shownAt = -Infinity;
  function show(): void {
    if (terminal === undefined) return;
    shownAt = performance.now();
    const part = total === undefined || total === 0 ? 1 : Math.min(done / total, 1);
    const bar = '█'.repeat(Math.round(part * WIDTH)).padEnd(WIDTH, '░');
    const figure = total === undefined ? String(done) : `${Math.floor(part * 100)} %`;
    terminal.write(`\r${label.padEnd(10)} ${total === undefined ? '' : bar} ${figure}`);
  }
  return {
    advance: (by) => {
      done += by;
      if (performance.now() - shownAt >= UPDATE_INTERVAL) show();
    },
    end: () => {
      show();
      terminal?.write('\n');
    },
  };
}
