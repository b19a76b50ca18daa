import { isObject } from '../../contract/values.ts';
import type { Api } from '../../contract/api.ts';
import type { Operation } from '../../contract/operation.ts';

export interface ServerAnswer {
  readonly operation: Operation;
  readonly place: string;
  /** Returns its value; undefined if it is no longer in memory. */
  readonly read: () => { readonly value: unknown } | undefined;
}

/** The answers of servers during a command, newest first. */
interface ServerAnswers {
  /** Wraps an Api to record its answers if it is a server. */
  readonly keep: (api: Api) => Api;
  readonly all: () => readonly ServerAnswer[];
}

/** The number of answers that are always kept. Older ones are kept only while the command still uses their objects. */
const maxHeld = 20;
const maxAnswers = 1000;

/**
 * Records the answers of servers. Checking each of them against its schema would take longer than the calls, so this is done only
 * if one may have made a command fail.
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
      // The answers of an embedded store come from this docsctl.
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
  if (!isObject(value)) return () => ({ value });
  const reference = new WeakRef(value);
  return () => {
    const kept = reference.deref();
    return kept === undefined ? undefined : { value: kept };
  };
}
