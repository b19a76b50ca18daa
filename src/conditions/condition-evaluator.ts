import { Problem } from '../errors/problem.ts';
import { checkCondition } from './check-condition.ts';
import { filterClaims, type ClaimSchema, type FilteredClaims } from './claims.ts';
import type { ConditionNode } from './condition-node.ts';
import { evaluateCondition, type Outcome } from './evaluate-condition.ts';
import { ConditionError, parseCondition } from './parse-condition.ts';
import type { EvaluationContext, Value } from './values.ts';

/**
 * Checks the syntax of a condition and, with a schema, its claims. `path` is the JSON pointer of the condition in the input.
 *
 * @throws Problem(invalid-input) with the columns of up to 10 errors
 */
export function assertValidCondition(
  text: string,
  path: string,
  schema?: ClaimSchema,
  name = 'The condition',
): void {
  const node = parseCondition(text);
  const isSyntax = node instanceof ConditionError;
  const errors = isSyntax ? [node] : schema === undefined ? [] : checkCondition(node, schema);
  if (errors.length === 0) return;
  const first = String(errors[0]);
  throw new Problem('invalid-input', `${name} is not valid: ${first}${first.endsWith('?') ? '' : '.'}`, {
    violations: errors.map((error) => ({ path, message: String(error) })),
    hint: isSyntax
      ? 'Write one expression over visitor.claims, such as visitor.claims.plan == "pro" && !visitor.claims.beta.'
      : 'Use the claims and values of the adaptive schema: `docsctl sites adaptive-schema get SITE -o json`',
  });
}

/** Evaluates the conditions of one site and parses each text only once. */
export class ConditionEvaluator {
  readonly #schema: ClaimSchema | undefined;
  readonly #parsed = new Map<string, ConditionNode | ConditionError>();

  constructor(schema?: ClaimSchema) {
    this.#schema = schema;
  }

  /** Returns the claims that the schema declares; all of them if there is no schema. */
  filterClaims(claims: Value): FilteredClaims {
    return this.#schema === undefined ? { claims, ignored: [] } : filterClaims(claims, this.#schema);
  }

  /** Evaluates a condition. An invalid condition is false, a missing one is true. */
  evaluate(condition: string | undefined, context: EvaluationContext): Outcome {
    if (condition === undefined) return { shown: true, steps: 0 };
    const node = this.parse(condition);
    if (node instanceof ConditionError) return { shown: false, steps: 0, error: String(node) };
    return evaluateCondition(node, context);
  }

  /** Explains why a condition is invalid or does not match the schema; undefined if it is correct. */
  explainError(condition: string): string | undefined {
    const node = this.parse(condition);
    return node instanceof ConditionError ? String(node) : undefined;
  }

  /** Parses a condition and checks it against the schema. Returns the first error of an invalid one. */
  parse(condition: string): ConditionNode | ConditionError {
    let node = this.#parsed.get(condition);
    if (node === undefined) {
      node = parseCondition(condition);
      if (this.#schema !== undefined && !(node instanceof ConditionError))
        node = checkCondition(node, this.#schema)[0] ?? node;
      this.#parsed.set(condition, node);
    }
    return node;
  }
}
