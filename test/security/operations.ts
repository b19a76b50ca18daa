import { isOperation, type InputOf, type Operation } from '../../src/contract/operation.ts';
import type { Api } from '../../src/contract/api.ts';
import type { Core } from '../../src/core/embedded.ts';
import { Problem } from '../../src/errors/problem.ts';
import { nouns } from '../../src/resources/index.ts';

export interface Loaded {
  readonly operation: Operation;
}

/** Returns every operation of every noun, by ID. */
export async function allOperations(): Promise<Map<string, Loaded>> {
  const loaded = new Map<string, Loaded>();
  for (const noun of nouns) {
    for (const operation of Object.values((await noun.contract()) as Record<string, unknown>).filter(
      isOperation,
    )) {
      loaded.set(operation.id, { operation });
    }
  }
  return loaded;
}

export interface Given {
  readonly params: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly query?: unknown;
}

/** The outcome of a call: its answer, or the fields of its Problem. */
export interface Outcome {
  readonly reason: string;
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string | undefined;
  readonly answer?: unknown;
}

/** Calls an operation and returns the outcome. Errors that are not a Problem are thrown. */
export async function outcomeOf(api: Api, operation: Operation, given: Given): Promise<Outcome> {
  try {
    return { reason: 'done', answer: await api.call(operation, given as InputOf<Operation>) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { reason: error.reason, status: error.status, message: error.message, hint: error.hint };
  }
}

/** Returns a core that undoes all writes after the handler, so that each call finds the same world. */
export function forgetful(core: Core): Core {
  const { store } = core;
  const write = async <T>(work: Parameters<typeof store.write<T>>[0]): Promise<T> => {
    const undo = Object.assign(new Error('undone'), { answer: undefined as T | undefined });
    await store
      .write(async (tx) => {
        undo.answer = await work(tx);
        throw undo;
      })
      .catch((error: unknown) => {
        if (error !== undo) throw error;
      });
    return undo.answer as T;
  };
  return {
    ...core,
    store: { ...store, url: store.url, read: (work) => store.read(work), write, close: () => store.close() },
  };
}
