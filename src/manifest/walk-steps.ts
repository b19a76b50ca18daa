import type { Step } from './plan-document.ts';

/** `waiting`: done as far as it can be, and somebody has to approve it. */
export type Status = 'done' | 'waiting' | 'failed' | 'skipped' | 'unsupported' | 'stopped';

/** How a step ended, and the key of the step because of which it was not begun. */
export interface Outcome {
  readonly status: Status;
  readonly because?: string | undefined;
}

export interface WalkOptions {
  /** Steps at once. */
  readonly concurrency: number;
  /** Does a step; answers how it ended. What it throws ends the walk, when the steps that run have ended. */
  readonly run: (step: Step) => Promise<Outcome>;
  /** Whether no further step is begun, and because of which step, if of one. */
  readonly stopped: () => { readonly because?: string | undefined } | undefined;
  readonly ended: (step: Step, outcome: Outcome) => void;
}

/** Goes through steps, each behind those it waits for; a step that fails takes with it only those that wait for it. */
export async function walkSteps(steps: readonly Step[], options: WalkOptions): Promise<void> {
  const walk = new Walk(steps, options);
  await walk.go();
}

class Walk {
  readonly #options: WalkOptions;
  readonly #waiting = new Map<string, number>();
  readonly #dependents = new Map<string, Step[]>();
  readonly #ready: Step[];
  readonly #open: Set<Step>;
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(steps: readonly Step[], options: WalkOptions) {
    this.#options = options;
    this.#open = new Set(steps);
    const keys = new Set(steps.map(({ key }) => key));
    for (const step of steps) {
      const needs = step.after.filter((key) => keys.has(key));
      this.#waiting.set(step.key, needs.length);
      for (const key of needs) {
        const others = this.#dependents.get(key);
        if (others === undefined) this.#dependents.set(key, [step]);
        else others.push(step);
      }
    }
    this.#ready = steps.filter(({ key }) => this.#waiting.get(key) === 0);
  }

  async go(): Promise<void> {
    for (let next = 0; ;) {
      while (
        next < this.#ready.length &&
        this.#running.size < this.#options.concurrency &&
        this.#failure === undefined &&
        this.#options.stopped() === undefined
      )
        this.#begin(this.#ready[next++]!);
      if (this.#running.size === 0) break;
      await Promise.race(this.#running);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    const { because } = this.#options.stopped() ?? {};
    for (const step of this.#open)
      this.#options.ended(
        step,
        because === undefined ? { status: 'stopped' } : { status: 'skipped', because },
      );
  }

  #begin(step: Step): void {
    const running: Promise<void> = this.#options.run(step).then(
      (outcome) => this.#end(step, outcome, running),
      (error: unknown) => {
        this.#failure ??= { error };
        this.#running.delete(running);
      },
    );
    this.#running.add(running);
  }

  #end(step: Step, outcome: Outcome, running: Promise<void>): void {
    this.#running.delete(running);
    this.#open.delete(step);
    this.#options.ended(step, outcome);
    // What is there already can be built upon, even where part of it cannot be changed here.
    if (
      outcome.status === 'done' ||
      outcome.status === 'waiting' ||
      (outcome.status === 'unsupported' && step.id !== undefined)
    )
      this.#free(step);
    else if (outcome.status !== 'stopped') this.#skip(step);
  }

  #free({ key }: Step): void {
    for (const dependent of this.#dependents.get(key) ?? []) {
      const left = this.#waiting.get(dependent.key)! - 1;
      this.#waiting.set(dependent.key, left);
      if (left === 0 && this.#open.has(dependent)) this.#ready.push(dependent);
    }
  }

  #skip(failed: Step): void {
    const skipped = [failed];
    for (const { key } of skipped) {
      for (const dependent of this.#dependents.get(key) ?? []) {
        if (!this.#open.delete(dependent)) continue;
        this.#options.ended(dependent, { status: 'skipped', because: failed.key });
        skipped.push(dependent);
      }
    }
  }
}
