import { ServerResponse, type IncomingMessage } from 'node:http';

/** Makes the head of a response out of its status line and headers. */
type StoreHeader = (this: ServerResponse, statusLine: string, headers: unknown) => void;

// Neither Node's documentation nor its types know of it: where it is missing, nothing is written verbatim.
const { _storeHeader: storeHeader } = ServerResponse.prototype as unknown as { readonly _storeHeader?: StoreHeader };

/**
 * A response of which some header lines are written as they are. Node holds the name and the value of each header against regular expressions; for the
 * four that every answer has, that is a twentieth of the processor time of a durable delete (`npm run bench -- --only durable`). The tests of
 * the contract guard it: they look for these headers in every answer.
 */
export class VerbatimResponse<T extends IncomingMessage = IncomingMessage> extends ServerResponse<T> {
  /** Whole lines, each with its CRLF, that no client has a part in but for characters that are known; undefined where this Node cannot. */
  verbatim = storeHeader === undefined ? undefined : '';

  /**
   * A body of ASCII characters that goes out with the head. Node joins the two as well, but writes an empty piece behind them, and two pieces take 3 to 6 % of
   * a refusal's processor time more (`npm run bench -- --only refusals`). undefined again when it is in the head.
   */
  body: string | undefined;

  /** Node calls this when the head is complete. */
  protected _storeHeader(statusLine: string, headers: unknown): void {
    storeHeader?.call(this, statusLine + (this.verbatim ?? ''), headers);
    // Nor do its types know of these two: the head, and that what is answered may have a body, unlike HEAD and 204.
    const head = this as unknown as { _header?: unknown; readonly _hasBody?: unknown };
    if (this.body === undefined || head._hasBody !== true || typeof head._header !== 'string') return;
    head._header += this.body;
    this.body = undefined;
  }
}
