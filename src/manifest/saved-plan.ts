import { violationsOf } from '../contract/check.ts';
import { checkDepth } from '../contract/limits.ts';
import { Problem } from '../errors/problem.ts';
import { findFaultInSteps } from './check-steps.ts';
import type { Kind } from './kind.ts';
import { kinds } from './kinds/index.ts';
import type { Action, PlanDocument } from './plan-document.ts';
import { SavedPlanSchema } from './saved-plan-schema.ts';
import { isRecord } from '../contract/values.ts';

/** A plan that knows where the lock is that it was made with, and the key of one that is not written yet. */
export type SavedPlan = PlanDocument & { readonly lock: { readonly path?: string; readonly key?: string } };

/** A plan as the text of a file. */
export function writePlan(document: PlanDocument): string {
  return `${JSON.stringify(document, null, 1)}\n`;
}

/** Reads a plan that was saved, by whomever: it says nothing that it does not do. `name` is for messages. */
export function readPlan(text: string, name: string, table: readonly Kind[] = kinds): SavedPlan {
  let value: unknown;
  try {
    checkDepth(text);
    value = JSON.parse(text);
  } catch {
    throw unreadable(name, 'is not valid JSON');
  }
  if (!isRecord(value) || value['version'] !== 1)
    throw unreadable(name, 'is no plan of this version of docsctl');
  const [wrong] = violationsOf(SavedPlanSchema, value, '');
  if (wrong !== undefined) throw unreadable(name, 'is damaged', `${wrong.path} ${wrong.message}`);
  const document = value as unknown as SavedPlan;
  const unsound = findFaultInSteps(document.steps, table);
  if (unsound !== undefined) throw unreadable(name, 'is damaged', `It ${unsound}`);
  const counts: Record<Action, number> = {
    create: 0,
    update: 0,
    adopt: 0,
    move: 0,
    delete: 0,
    none: 0,
    unsupported: 0,
  };
  for (const { action } of document.steps) counts[action]++;
  return { ...document, counts, calls: document.steps.reduce((sum, { calls }) => sum + calls, 0) };
}

function unreadable(name: string, what: string, why?: string): Problem {
  return new Problem('invalid-input', `The plan ${name} ${what}.`, {
    hint: `${why === undefined ? '' : `${why}. `}Make it anew: docsctl plan -f FILE --out plan.json.`,
  });
}
