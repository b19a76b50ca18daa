import { checkCondition } from './check.ts';
import { fitClaims, type ClaimSchema, type Fitted } from './claims.ts';
import { evaluate, type Evaluated } from './evaluate.ts';
import { conditionProblem, inWords, type Fault } from './fault.ts';
import { isFault, parseCondition, readCondition } from './parse.ts';
import type { Tree } from './tree.ts';
import type { Context, Value } from './values.ts';

/** Refuses a condition that is not one, or does not fit the visitor schema, with the column; `path` is where the input holds it. */
export function acceptCondition(text: string, path: string, schema?: ClaimSchema, what?: string): void {
  const tree = parseCondition(text, path, what);
  const faults = schema === undefined ? [] : checkCondition(tree, schema);
  if (faults.length > 0)
    throw conditionProblem(
      path,
      faults,
      what,
      'The claims and their values are those of the visitor schema: docsctl sites adaptive-schema get SITE -o json',
    );
}

/** Judges the conditions of one site; each text is read once. */
export interface Judge {
  /** What of these claims counts: with a schema only what it knows. */
  fit(claims: Value): Fitted;
  /** Whether a condition holds; one that is broken never does. None at all always does. */
  judge(condition: string | undefined, context: Context): Evaluated;
  /** Why a condition never holds: it is no expression, or does not fit the schema. */
  broken(condition: string): string | undefined;
  /** The tree of a condition that is not broken. */
  tree(condition: string): Tree | undefined;
}

export function createJudge(schema?: ClaimSchema): Judge {
  const read = new Map<string, Tree | Fault>();
  const look = (condition: string): Tree | Fault => {
    let found = read.get(condition);
    if (found === undefined) {
      found = readCondition(condition);
      if (schema !== undefined && !isFault(found)) found = checkCondition(found, schema)[0] ?? found;
      read.set(condition, found);
    }
    return found;
  };
  const broken = (condition: string): string | undefined => {
    const found = look(condition);
    return isFault(found) ? inWords(found) : undefined;
  };
  return {
    fit: (claims) => (schema === undefined ? { claims, ignored: [] } : fitClaims(claims, schema)),
    broken,
    tree: (condition) => {
      const found = look(condition);
      return isFault(found) ? undefined : found;
    },
    judge: (condition, context) => {
      if (condition === undefined) return { shown: true, steps: 0 };
      const found = look(condition);
      return isFault(found) ? { shown: false, steps: 0, error: inWords(found) } : evaluate(found, context);
    },
  };
}
