import type { Problem } from '../errors/problem.ts';
import type { Step } from './plan-document.ts';

/** `waiting`: done, except that a reviewer has to approve it. */
export type Status = 'done' | 'waiting' | 'failed' | 'skipped' | 'unsupported' | 'stopped';

/** How a step ended. */
export interface Outcome {
  readonly status: Status;
  /** Key of the step because of which this one was skipped. */
  readonly because?: string | undefined;
  readonly problem?: Problem;
}

export interface WalkOptions {
  /** Maximum number of steps at once. */
  readonly concurrency: number;
  /** Does a step. An error ends the walk as soon as the running steps have ended. */
  readonly run: (step: Step) => Promise<Outcome>;
  /** Returns an object if no further step may begin, with the key of the step that is the cause, if any. */
  readonly stopped: () => { readonly because?: string | undefined } | undefined;
  readonly ended: (step: Step, outcome: Outcome) => void;
}

/** Runs each step after those that it waits for. A step that fails skips only the steps that wait for it. */
export async function walkSteps(steps: readonly Step[], options: WalkOptions): Promise<void> {
  await new Walk(steps, options).run();
}

class Walk {
  readonly #options: WalkOptions;
  /** Steps that have not ended, each with the keys that it still waits for. */
  readonly #open: Map<Step, Set<string>>;
  readonly #dependents = new Map<string, Step[]>();
  readonly #ready: Step[];
  readonly #running = new Set<Promise<void>>();
  #failure: { readonly error: unknown } | undefined;

  constructor(steps: readonly Step[], options: WalkOptions) {
    this.#options = options;
    const keys = new Set(steps.map(({ key }) => key));
    this.#open = new Map(
      steps.map((step) => [step, new Set(step.after.filter((key) => keys.has(key)))] as const),
    );
    for (const [step, needs] of this.#open)
      for (const key of needs) {
        const dependents = this.#dependents.get(key);
        if (dependents === undefined) this.#dependents.set(key, [step]);
        else dependents.push(step);
      }
    this.#ready = steps.filter((step) => this.#open.get(step)?.size === 0);
  }

  async run(): Promise<void> {
    const { stopped, concurrency, ended } = this.#options;
    for (let next = 0; ;) {
      while (this.#running.size < concurrency && this.#failure === undefined && stopped() === undefined) {
        const step = this.#ready[next];
        if (step === undefined) break;
        next++;
        this.#begin(step);
      }
      if (this.#running.size === 0) break;
      await Promise.race(this.#running);
    }
    if (this.#failure !== undefined) throw this.#failure.error;
    const { because } = stopped() ?? {};
    for (const step of this.#open.keys())
      ended(step, because === undefined ? { status: 'stopped' } : { status: 'skipped', because });
  }

  #begin(step: Step): void {
    const running: Promise<void> = this.#options.run(step).then(
      (outcome) => {
        this.#running.delete(running);
        this.#end(step, outcome);
      },
      (error: unknown) => {
        this.#failure ??= { error };
        this.#running.delete(running);
      },
    );
    this.#running.add(running);
  }

  #end(step: Step, outcome: Outcome): void {
    const { status } = outcome;
    this.#open.delete(step);
    this.#options.ended(step, outcome);
    // What exists already can be built upon, also if a part of it cannot be changed here.
    const exists =
      status === 'done' || status === 'waiting' || (status === 'unsupported' && step.id !== undefined);
    if (exists) this.#free(step);
    else if (status !== 'stopped') this.#skip(step);
  }

  #free({ key }: Step): void {
    for (const dependent of this.#dependents.get(key) ?? []) {
      const needs = this.#open.get(dependent);
      needs?.delete(key);
      if (needs?.size === 0) this.#ready.push(dependent);
    }
  }

  #skip(failed: Step): void {
    const skipped = [failed];
    for (const { key } of skipped)
      for (const dependent of this.#dependents.get(key) ?? []) {
        if (!this.#open.delete(dependent)) continue;
        this.#options.ended(dependent, { status: 'skipped', because: failed.key });
        skipped.push(dependent);
      }
  }
}
