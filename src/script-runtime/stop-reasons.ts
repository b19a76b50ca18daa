import type { ScriptLimits } from '../core/scripts.ts';

const MiB = 2 ** 20;

/** The reason for ending a message for which nobody waits anymore. */
export const withdrawn = 'The message was withdrawn.';

/** Returns the sentences that say why a script was stopped, or may not do something. */
export function stopReasons({ computing, total, memory, answer }: ScriptLimits) {
  return {
    computing: `The script was stopped: it computed longer than ${computing / 1000} s.`,
    total: `The script was stopped: it was not done after ${total / 1000} s.`,
    memory: `The script was stopped: it needed more than ${Math.round(memory / MiB)} MiB of memory.`,
    answer: `The script was stopped: its answer is larger than ${answer / MiB} MiB.`,
    body: `The body of a request can be at most ${answer / MiB} MiB.`,
    handedOver: `The data that a script waits for can be at most ${Math.round(memory / 2 / MiB)} MiB.`,
    waiting: 'The script was stopped: it waits for something that never happens.',
  };
}
