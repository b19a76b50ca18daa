/** Runs some work, possibly after other work. The signal ends the wait, and rejects with its reason. */
type RunLimited = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Returns a function that runs at most `limit` works at the same time, in the order of the calls. */
export function limitCalls(limit: number): RunLimited {
  let running = 0;
  const waiting = new Set<() => void>();
  const enter = async (signal: AbortSignal): Promise<void> => {
    if (running < limit) {
      running++;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leave = (): void => {
        waiting.delete(start);
        reject(signal.reason as Error);
      };
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      waiting.add(start);
      signal.addEventListener('abort', leave, { once: true });
    });
  };
  const exit = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      running--;
      return;
    }
    waiting.delete(next);
    next();
  };
  return async (signal, work) => {
    signal.throwIfAborted();
    await enter(signal);
    try {
      return await work();
    } finally {
      exit();
    }
  };
}
