import type { Api } from '../../contract/api.ts';
import { interruptedProblem } from '../../contract/event-loop.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { showActivity } from '../output/progress.ts';
import type { Runtime, Terminal } from '../runtime.ts';

interface Watch {
  readonly terminal: Terminal;
  readonly clock: Runtime['clock'];
  /** Whether something else, such as a pager, has the screen. */
  readonly isHidden: () => boolean;
}

/** An Api that shows on standard error which call takes long. */
export function watchCalls(api: Api, { terminal, clock, isHidden }: Watch): Api {
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
      // A read that was interrupted has changed nothing.
      const isRead = operation.method === 'GET' || operation.safe;
      throw isRead && isProblem(error, 'interrupted') ? interruptedProblem() : error;
    } finally {
      end();
    }
  };
  return { ...api, call };
}

/** An Api whose calls all serve one activity: progress names it in place of their operations. */
export function nameActivity(api: Api, activity: string): Api {
  return {
    ...api,
    call: (operation, input, options) => api.call(operation, input, { activity, ...options }),
  };
}
