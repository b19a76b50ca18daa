import type { ConditionNode } from '../conditions/condition-node.ts';
import { childNodes } from '../conditions/condition-node.ts';
import { evaluateExpression } from '../conditions/evaluate-condition.ts';
import { ConditionError, parseCondition } from '../conditions/parse-condition.ts';
import type { EvaluationContext, Value } from '../conditions/values.ts';
import type { Variables } from '../richtext/page-settings.ts';

/** Maximum number of steps for all expressions of one page. */
const maxStepsOfPage = 200_000;

interface ExpressionScope {
  readonly space: Variables;
  readonly page: Variables;
  /** Whether expressions that read the claims of the visitor are not evaluated. */
  readonly isDeterministic: boolean;
  /** The claims of the visitor (default: none). */
  readonly claims?: Value;
}

/** Evaluates the expressions of one page. A reader through the API counts as a visitor without claims. */
export class Expressions {
  readonly #context: EvaluationContext;
  readonly #isDeterministic: boolean;
  readonly #values = new Map<string, { readonly value: Value } | undefined>();
  #steps = 0;

  constructor({ space, page, isDeterministic, claims = {} }: ExpressionScope) {
    this.#context = { visitor: { claims }, space: { vars: space }, page: { vars: page } };
    this.#isDeterministic = isDeterministic;
  }

  /** Returns the value as text: empty for null, lists and objects; undefined for an expression that is not evaluated. */
  textOf(expression: string): string | undefined {
    const result = this.#evaluate(expression);
    if (result === undefined) return undefined;
    const { value } = result;
    return typeof value === 'object' || value === undefined ? '' : String(value);
  }

  /** Whether content with this condition is shown; undefined for a condition that is not evaluated. */
  isTrue(condition: string): boolean | undefined {
    const result = this.#evaluate(condition);
    return result === undefined ? undefined : Boolean(result.value);
  }

  #evaluate(expression: string): { readonly value: Value } | undefined {
    if (!this.#values.has(expression)) this.#values.set(expression, this.#compute(expression));
    return this.#values.get(expression);
  }

  #compute(expression: string): { readonly value: Value } | undefined {
    if (this.#steps > maxStepsOfPage) return undefined;
    if (expression.trim() === '') return { value: '' };
    const node = parseCondition(expression);
    // An invalid expression is shown as written.
    if (node instanceof ConditionError) return undefined;
    if (this.#isDeterministic && readsVisitor(node)) return undefined;
    const { value, steps } = evaluateExpression(node, this.#context);
    this.#steps += steps;
    return { value };
  }
}

function readsVisitor(node: ConditionNode): boolean {
  return (node.kind === 'root' && node.name === 'visitor') || childNodes(node).some(readsVisitor);
}
