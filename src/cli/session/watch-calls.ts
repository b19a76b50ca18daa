import type { Api } from '../../contract/api.ts';
import { interruptedProblem } from '../../contract/event-loop.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { showActivity } from '../output/progress.ts';
import type { Runtime, Terminal } from '../runtime.ts';

interface Watch {
  readonly terminal: Terminal;
  readonly clock: Runtime['clock'];
  /** Returns whether something else, such as a pager, uses the screen. */
  readonly isHidden: () => boolean;
  readonly reword: (problem: Problem) => Problem;
}

/** Wraps an Api so that slow calls are shown on standard error. */
export function watchCalls(api: Api, { terminal, clock, isHidden, reword }: Watch): Api {
  const call: Api['call'] = async (operation, input, options) => {
    const { onProgress, end } = showActivity(terminal, {
      label: options?.activity ?? operation.summary,
      clock,
      isHidden,
    });
    try {
      return await api.call(operation, input, { onProgress, ...options });
    } catch (error) {
      if (error instanceof Problem) error.operationId = operation.id;
      // An interrupted read has changed nothing.
      const isRead = operation.method === 'GET' || operation.safe;
      if (isRead && isProblem(error, 'interrupted')) throw interruptedProblem();
      throw error instanceof Problem ? reword(error) : error;
    } finally {
      end();
    }
  };
  return { ...api, call };
}

/** Wraps an Api whose calls are all part of one activity. Progress names the activity instead of the operations. */
export function nameActivity(api: Api, activity: string): Api {
  return {
    ...api,
    call: (operation, input, options) => api.call(operation, input, { activity, ...options }),
  };
}
