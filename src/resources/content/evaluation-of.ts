import type { Evaluation } from '../../content/evaluate.ts';

/** The flags of a query that say what to insert into texts. */
export interface EvaluationQuery {
  readonly evaluated?: string;
  readonly dereferenced?: string;
}

/** Converts the flags of a query to what has to be inserted into texts. */
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
