import { Problem } from '../errors/problem.ts';

export interface ScriptProcess {
  /** Whether it has no messages. */
  readonly isIdle: boolean;
  readonly isClosed: boolean;
  /** The time when it became idle, in milliseconds. */
  readonly idleSince: number;
  /** Resolves when it has ended. */
  readonly closed: Promise<void>;
  readonly kill: (reason?: string) => void;
}

/** Keeps a limited number of processes, by key, while they are used. */
export class ProcessPool<P extends ScriptProcess> {
  readonly #maxProcesses: number;
  readonly #idle: number;
  readonly #processes = new Map<string, P>();
  #waiting: (() => void)[] = [];
  #isClosed = false;

  /** `idle`: milliseconds after which an idle process ends. */
  constructor({ maxProcesses, idle }: { maxProcesses: number; idle: number }) {
    this.#maxProcesses = maxProcesses;
    this.#idle = idle;
  }

  /**
   * Passes the process of a key to `work`, and creates it first if there is none. Waits while all processes are busy, and while
   * others have waited longer. `work` must make the process busy before it returns. The process must call `onIdle` when it has
   * nothing to do.
   *
   * @throws Problem(interrupted) after `close`
   */
  async use<T>(key: string, create: (onIdle: () => void) => P, work: (process: P) => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#isClosed) throw new Problem('interrupted', 'The program is stopping.');
      const existing = this.#processes.get(key);
      if (existing !== undefined && !existing.isClosed) {
        // A busy process gets nothing new while others wait. Otherwise it could stay busy, and they would wait forever.
        if (existing.isIdle || this.#waiting.length === 0) return work(existing);
        await this.#nextTurn();
        continue;
      }
      if (existing === undefined && this.#processes.size >= this.#maxProcesses) {
        const [oldest] = [...this.#processes]
          .filter(([, one]) => one.isIdle)
          .sort(([, a], [, b]) => a.idleSince - b.idleSince);
        if (oldest === undefined) {
          await this.#nextTurn();
          continue;
        }
        this.#drop(...oldest);
      }
      const made: P = create(() => this.#onIdle(key, made));
      this.#processes.set(key, made);
      void made.closed.then(() => {
        if (this.#processes.get(key) === made) this.#processes.delete(key);
        this.#wake();
      });
      return work(made);
    }
  }

  /** Ends all processes, and waits until they have ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#wake();
    const all = [...this.#processes.values()];
    for (const one of all) one.kill('The program is stopping.');
    await Promise.all(all.map(({ closed }) => closed));
  }

  #drop(key: string, process: P): void {
    if (this.#processes.get(key) === process) this.#processes.delete(key);
    process.kill();
  }

  #onIdle(key: string, process: P): void {
    this.#wake();
    const since = process.idleSince;
    setTimeout(() => {
      if (process.isIdle && process.idleSince === since) this.#drop(key, process);
    }, this.#idle).unref();
  }

  #nextTurn(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  #wake(): void {
    const all = this.#waiting;
    this.#waiting = [];
    for (const one of all) one();
  }
}

/** Checks a signal. @throws Problem(interrupted) if nobody waits for the message anymore */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new Problem('interrupted', 'The message to the script was withdrawn.');
}
