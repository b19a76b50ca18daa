import { Problem } from '../../errors/problem.ts';
import type { Kind } from '../../manifest/kind.ts';
import { kindNamed, kinds } from '../../manifest/kinds/index.ts';
import type { Change, PlanDocument, Step } from '../../manifest/plan-document.ts';
import { mask } from '../../manifest/read/node.ts';
import { isSecretSchema } from '../../manifest/read/schema.ts';
import { isSecret } from '../../manifest/value.ts';

/** Masks the live values of secret fields in a plan. A plan never holds the secrets of the manifest. */
export function concealPlan(document: PlanDocument, table: readonly Kind[] = kinds): PlanDocument {
  return { ...document, steps: document.steps.map((step) => concealStep(step, table)) };
}

function concealStep(step: Step, table: readonly Kind[]): Step {
  const { fields } = kindNamed(step.kind, table);
  const isHidden = ({ field, before }: Change): boolean =>
    isSecretSchema(fields[field]?.schema ?? {}) && isShown(before);
  if (!step.changes.some(isHidden)) return step;
  return {
    ...step,
    changes: step.changes.map((change) => (isHidden(change) ? { ...change, before: mask } : change)),
  };
}

function isShown(value: unknown): boolean {
  return value !== undefined && value !== null && !isSecret(value);
}

/** Masks secrets in the problem of a row. */
export function concealRow<R extends { readonly problem?: Problem | undefined }>(
  row: R,
  secrets: Iterable<string>,
): R {
  return row.problem === undefined ? row : { ...row, problem: concealProblem(row.problem, secrets) };
}

/** Masks secrets in the texts of a problem: a server may repeat what it was sent. */
export function concealProblem(problem: Problem, secrets: Iterable<string>): Problem {
  // Shorter secrets would be found in ordinary words.
  const known = [...secrets].filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length);
  const hide = (text: string): string =>
    known.reduce((shown, secret) => shown.replaceAll(secret, mask), text);
  const { reason, message, hint, violations, requestId, retryAfter } = problem;
  return new Problem(reason, hide(message), {
    hint: hint === undefined ? undefined : hide(hint),
    violations: violations.map(({ path, message: what }) => ({ path: hide(path), message: hide(what) })),
    requestId,
    retryAfter,
  });
}
