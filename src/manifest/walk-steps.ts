import { groupBy } from '../contract/values.ts';
import type { Problem } from '../errors/problem.ts';
import type { Step } from './plan-document.ts';

/** `waiting`: done, but a reviewer has to approve it. */
export type Status = 'done' | 'waiting' | 'failed' | 'skipped' | 'unsupported' | 'stopped';

export interface Outcome {
  readonly status: Status;
  /** The key of the step that caused the skip. */
  readonly because?: string;
  readonly problem?: Problem;
}

interface WalkOptions {
  /** Maximum number of concurrent steps. */
  readonly concurrency: number;
  /** Runs a step. An error ends the walk after the running steps have ended. */
  readonly run: (step: Step) => Promise<Outcome>;
  /** Returns an object if no further step may start, with the key of the step that caused it, if any. */
  readonly stopped: () => { readonly because?: string } | undefined;
  readonly ended: (step: Step, outcome: Outcome) => void;
}

/** Runs each step after the steps that it waits for. If a step fails, only the steps that wait for it are skipped. */
export async function walkSteps(
  steps: readonly Step[],
  { concurrency, run, stopped, ended }: WalkOptions,
): Promise<void> {
  const keys = new Set(steps.map(({ key }) => key));
  /** Steps that have not ended, each with the keys that it still waits for. */
  const open = new Map(
    steps.map((step) => [step, new Set(step.after.filter((key) => keys.has(key)))] as const),
  );
  const edges = [...open].flatMap(([step, needs]) => [...needs].map((key) => ({ key, step })));
  const dependents = groupBy(edges, ({ key }) => key);
  const ready = steps.filter((step) => open.get(step)?.size === 0);
  const running = new Set<Promise<void>>();
  let failure: { error: unknown } | undefined;

  const begin = (step: Step): void => {
    const promise: Promise<void> = run(step).then(
      (outcome) => {
        running.delete(promise);
        end(step, outcome);
      },
      (error: unknown) => {
        running.delete(promise);
        failure ??= { error };
      },
    );
    running.add(promise);
  };
  const end = (step: Step, outcome: Outcome): void => {
    const { status } = outcome;
    open.delete(step);
    ended(step, outcome);
    // If the resource exists, steps can rely on it, even if a part of it cannot be changed.
    const exists =
      status === 'done' || status === 'waiting' || (status === 'unsupported' && step.id !== undefined);
    if (exists) free(step);
    else if (status !== 'stopped') skip(step);
  };
  const free = ({ key }: Step): void => {
    for (const { step } of dependents.get(key) ?? []) {
      const needs = open.get(step);
      needs?.delete(key);
      if (needs?.size === 0) ready.push(step);
    }
  };
  const skip = (failed: Step): void => {
    const skipped = [failed];
    for (const { key } of skipped)
      for (const { step } of dependents.get(key) ?? []) {
        if (!open.delete(step)) continue;
        ended(step, { status: 'skipped', because: failed.key });
        skipped.push(step);
      }
  };

  for (let next = 0; ;) {
    while (running.size < concurrency && failure === undefined && stopped() === undefined) {
      const step = ready[next];
      if (step === undefined) break;
      next++;
      begin(step);
    }
    if (running.size === 0) break;
    await Promise.race(running);
  }
  if (failure !== undefined) throw failure.error;
  const { because } = stopped() ?? {};
  for (const step of open.keys())
    ended(step, because === undefined ? { status: 'stopped' } : { status: 'skipped', because });
}
