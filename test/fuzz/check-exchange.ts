import type { Case } from './cases.ts';
import type { Exchange } from './exchange.ts';
import type { Judge } from './judge.ts';
import { parseResponses } from './responses.ts';

/** What came of a case. */
export interface Finding {
  /** The statuses of its final answers, in their order. */
  readonly statuses: readonly number[];
  /** How many of them say that a plant is deleted. */
  readonly deleted: number;
  /** What is wrong; undefined when nothing is. */
  readonly problem: string | undefined;
}

/** Holds everything that came back on a connection against what the case can bring about. */
export function checkExchange(one: Case, { received, outcome }: Exchange, judge: Judge): Finding {
  const { responses, rest, problem } = parseResponses(received);
  const statuses = responses.map(({ status }) => status).filter((status) => status >= 200);
  // An answer to OPTIONS has `Allow`.
  const deleted = responses.filter(({ status, headers }) => status === 204 && !headers.has('allow')).length;

  function look(): string | undefined {
    if (outcome === 'refused') return 'the server takes no connection';
    if (outcome === 'stuck') return 'the server does not close the connection';
    if (problem !== undefined) return problem;
    const sent = Buffer.concat(one.pieces);
    for (const response of responses) {
      const objection = judge(response, sent);
      if (objection !== undefined) return `the answer ${response.status} is wrong: ${objection}`;
    }
    // The client may have left before the end.
    if (outcome !== 'closed') return undefined;
    if (rest !== '') return 'the last answer breaks off';
    if (statuses.length === 0) return 'there is no answer';
    const [expected, actual] = [one.expected?.join(', '), statuses.join(', ')];
    return expected === undefined || expected === actual ? undefined : `the answers ${expected} were to be expected`;
  }

  const objection = look();
  if (objection === undefined) return { statuses, deleted, problem: undefined };
  return {
    statuses,
    deleted,
    problem: `Case ${one.index}: ${objection}. It was answered: ${JSON.stringify(received.toString('latin1'))}`,
  };
}
