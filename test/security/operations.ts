import { isOperation, type InputOf, type Operation } from '../../src/contract/operation.ts';
import type { Api } from '../../src/contract/api.ts';
import type { Core } from '../../src/core/embedded.ts';
import { Problem } from '../../src/errors/problem.ts';
import { nouns } from '../../src/resources/index.ts';

export interface Loaded {
  readonly operation: Operation;
}

/** Every operation of every noun, by id. */
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

/** How a call ended: its answer, or all that a Problem tells. */
export interface Outcome {
  readonly reason: string;
  readonly status?: number;
  readonly message?: string;
  readonly hint?: string | undefined;
  readonly answer?: unknown;
}

/** Calls an operation, and tells how it ended; what is no Problem is thrown on. */
export async function outcomeOf(api: Api, operation: Operation, given: Given): Promise<Outcome> {
  try {
    return { reason: 'done', answer: await api.call(operation, given as InputOf<Operation>) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { reason: error.reason, status: error.status, message: error.message, hint: error.hint };
  }
}

/** A core on the same store whose writes are undone when the handler is through, so that each call meets the same world. */
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
