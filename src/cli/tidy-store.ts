import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import type { InputOf, Operation } from '../contract/operation.ts';

/** The time budget of the removal: at least `min` milliseconds, and otherwise this part of the command's time. */
const budget = { min: 100, part: 0.5 };

/**
 * Wraps an Api so that, after a command that changed an embedded store, deleted data is permanently removed if that job is due.
 * It takes at most half as long as the command; only after `spaces delete --now` it has no limit.
 */
export function tidyAfterChanges(api: Api, signal: AbortSignal): Api {
  if (api.work === undefined) return api;
  const start = process.uptime();
  let [hasChanged, isWanted] = [false, false];
  return {
    ...api,
    call: async (operation, input, options) => {
      hasChanged ||= !operation.safe;
      const answer = await api.call(operation, input, options);
      isWanted ||= isRemovalNow(operation, input);
      return answer;
    },
    close: async () => {
      const time = Math.ceil(Math.max(budget.min, budget.part * 1000 * (process.uptime() - start)));
      const work = { kind: 'removal', subject: 'store' };
      try {
        if (isWanted) await api.work?.({ ...work, signal });
        else if (hasChanged && !signal.aborted)
          await api.work?.({ ...work, signal: AbortSignal.timeout(time), isBrief: true });
      } catch (error) {
        // The command has succeeded, and the job remains queued.
        if (!(error instanceof Problem)) throw error;
      } finally {
        await api.close();
      }
    },
  };
}

function isRemovalNow(operation: Operation, input: InputOf<Operation>): boolean {
  const { query } = input as { query?: { now?: boolean } };
  return operation.id === 'spaces.delete' && query?.now === true;
}
