import type { Api } from '../../contract/api.ts';
import type { Operation } from '../../contract/operation.ts';

export interface ServerAnswer {
  readonly operation: Operation;
  readonly place: string;
  /** Its value; undefined if it is no longer kept. */
  readonly read: () => { readonly value: unknown } | undefined;
}

/** What the servers of a command answered, newest first. */
interface ServerAnswers {
  /** The same Api, whose answers are kept if it is that of a server. */
  readonly keep: (api: Api) => Api;
  readonly all: () => readonly ServerAnswer[];
}

/** How many answers are kept in any case. Of older ones, the objects that the command still uses are kept. */
const maxHeld = 20;
const maxAnswers = 1000;

/**
 * Keeps the answers of servers as they are. To check each of them against its schema would take longer than the calls, so this
 * is done only when one may have made a command fail.
 */
export function keepServerAnswers(): ServerAnswers {
  const answers: ServerAnswer[] = [];
  const held: unknown[] = [];
  const add = (operation: Operation, place: string, value: unknown): void => {
    held.push(value);
    if (held.length > maxHeld) held.shift();
    if (answers.length === maxAnswers) answers.shift();
    answers.push({ operation, place, read: readerOf(value) });
  };
  return {
    keep: (api) => {
      // An embedded store does the work of its jobs, and its answers come from this docsctl.
      if (api.work !== undefined) return api;
      const call: Api['call'] = async (operation, input, options) => {
        const answer = await api.call(operation, input, options);
        if (operation.returns.schema !== undefined && operation.returns.file !== true)
          add(operation, api.place, answer);
        return answer;
      };
      return { ...api, call };
    },
    all: () => answers.toReversed(),
  };
}

function readerOf(value: unknown): ServerAnswer['read'] {
  if (typeof value !== 'object' || value === null) return () => ({ value });
  const reference = new WeakRef(value);
  return () => {
    const kept = reference.deref();
    return kept === undefined ? undefined : { value: kept };
  };
}
