import type { Evaluation } from '../../content/evaluate.ts';

/** The flags of a query that say what to put into texts. */
export interface EvaluationQuery {
  readonly evaluated?: string;
  readonly dereferenced?: string;
}

/** Reads what to put into texts from the flags of a query. */
export function evaluationOf({ evaluated, dereferenced }: EvaluationQuery): Evaluation {
  return {
    evaluated: valueOf(evaluated, 'deterministic-only'),
    dereferenced: valueOf(dereferenced, 'reusable-contents'),
  };
}

function valueOf<const P extends string>(flag: string | undefined, part: P): 'true' | P | undefined {
  if (flag === part) return part;
  return flag === undefined || flag === 'false' ? undefined : 'true';
}
