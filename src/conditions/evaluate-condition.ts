import { isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { ConditionNode, methods } from './condition-node.ts';
import { isEqual, isList, isOrdered, readMember, type EvaluationContext, type Value } from './values.ts';

/**
 * Limits of one evaluation. A step is a visited node, a compared list item, or 64 characters of a text that is read;
 * `maxProduced` bounds the characters and list items that the evaluation creates.
 */
export const evaluationLimits = { maxSteps: 10_000, maxProduced: 65_536 } as const;

/** The result of a condition. An error makes `shown` false. */
export interface Outcome {
  readonly shown: boolean;
  readonly steps: number;
  readonly error?: string;
}

/** The parameters of the callbacks around a node, innermost first. */
interface Binding {
  readonly name: string;
  readonly value: Value;
  readonly outer: Binding | undefined;
}

/** Evaluates a condition for a visitor. No condition and no visitor data make it throw. */
export function evaluateCondition(condition: ConditionNode, context: EvaluationContext): Outcome {
  const evaluation = new Evaluation(context);
  try {
    return { shown: Boolean(evaluation.value(condition, undefined)), steps: evaluation.steps };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { shown: false, steps: evaluation.steps, error: error.message };
  }
}

/** The result of an expression: its value, or the reason why it has none. */
interface ExpressionOutcome {
  readonly value?: Value;
  readonly steps: number;
  readonly error?: string;
}

/** Evaluates an expression for a visitor, within the limits of a condition. No expression and no data make it throw. */
export function evaluateExpression(expression: ConditionNode, context: EvaluationContext): ExpressionOutcome {
  const evaluation = new Evaluation(context);
  try {
    return { value: evaluation.value(expression, undefined), steps: evaluation.steps };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { steps: evaluation.steps, error: error.message };
  }
}

class Evaluation {
  steps = 0;
  #produced = 0;
  readonly #context: EvaluationContext;

  constructor(context: EvaluationContext) {
    this.#context = context;
  }

  value(node: ConditionNode, bindings: Binding | undefined): Value {
    this.#spend(1);
    switch (node.kind) {
      case 'literal':
        return node.value;
      case 'list':
        return this.#produce(node.items.map((item) => this.value(item, bindings)));
      case 'root':
        return this.#context[node.name];
      case 'parameter':
        return lookUp(node.name, bindings);
      case 'member':
        return readMember(this.value(node.object, bindings), this.value(node.property, bindings));
      case 'call': {
        const object = this.value(node.object, bindings);
        return this.#call(node.method, object, node.argument && this.value(node.argument, bindings));
      }
      case 'some':
      case 'every':
        return this.#test(node, bindings);
      case 'not':
        return !this.value(node.operand, bindings);
      case 'negate': {
        const value = this.value(node.operand, bindings);
        return typeof value === 'number' ? -value : stop('"-" takes a number');
      }
      case 'compare':
        return this.#compare(
          node.operator,
          this.value(node.left, bindings),
          this.value(node.right, bindings),
        );
      case 'and':
      case 'or': {
        let last: Value;
        for (const operand of node.operands) {
          last = this.value(operand, bindings);
          if (Boolean(last) === (node.kind === 'or')) return last;
        }
        return last;
      }
      case 'conditional':
        return this.value(this.value(node.test, bindings) ? node.yes : node.no, bindings);
    }
  }

  #compare(operator: string, left: Value, right: Value): boolean {
    if (operator === 'in') {
      if (isList(right)) return this.#includes(right, left);
      if (!isRecord(right)) return stop('"in" takes a list or an object on its right');
      return (typeof left === 'string' || typeof left === 'number') && Object.hasOwn(right, left);
    }
    this.#read(left);
    if (operator.endsWith('==') || operator.startsWith('!'))
      return isEqual(left, right, operator.length === 3) === operator.startsWith('=');
    return isOrdered(left, operator, right);
  }

  #call(method: keyof typeof methods.string, object: Value, value: Value): Value {
    this.#read(object);
    if (isList(object)) {
      if (method === 'includes') return this.#includes(object, value);
      if (method === 'at') return object.at(toIndex(value));
      return stop(`${method} cannot be called on a list`);
    }
    if (typeof object !== 'string')
      return stop(
        `${method} cannot be called on ${object === undefined ? 'an undefined value' : `a ${typeof object}`}`,
      );
    if (method === 'toLowerCase' || method === 'toUpperCase' || method === 'trim')
      return this.#produce(object[method]());
    if (method === 'at') return object.at(toIndex(value));
    return typeof value === 'string' ? object[method](value) : stop(`${method} takes a string`);
  }

  #test(node: Extract<ConditionNode, { kind: 'some' | 'every' }>, outer: Binding | undefined): boolean {
    const list = this.value(node.list, outer);
    if (!isList(list)) return stop(`${node.kind} takes a list`);
    const [itemName, indexName] = node.parameters;
    for (const [index, item] of list.entries()) {
      this.#spend(1);
      let bindings = outer;
      if (itemName !== undefined) bindings = { name: itemName, value: item, outer: bindings };
      if (indexName !== undefined) bindings = { name: indexName, value: index, outer: bindings };
      const holds = Boolean(this.value(node.test, bindings));
      if (holds === (node.kind === 'some')) return holds;
    }
    return node.kind === 'every';
  }

  #includes(list: readonly Value[], wanted: Value): boolean {
    for (const item of list) {
      this.#read(item);
      if (item === wanted) return true;
    }
    return false;
  }

  /** Uses up a step for a value, and more for a long text. */
  #read(value: Value): void {
    this.#spend(typeof value === 'string' ? 1 + (value.length >> 6) : 1);
  }

  #produce<T extends string | readonly Value[]>(value: T): T {
    this.#produced += value.length;
    return this.#produced > evaluationLimits.maxProduced ? stop('it produces too much text') : value;
  }

  #spend(steps: number): void {
    this.steps += steps;
    if (this.steps <= evaluationLimits.maxSteps) return;
    this.steps = evaluationLimits.maxSteps;
    stop(`it takes more than ${evaluationLimits.maxSteps} steps`);
  }
}

function toIndex(value: Value): number {
  return typeof value === 'number' ? value : stop('"at" takes a number');
}

function lookUp(name: string, innermost: Binding | undefined): Value {
  for (let binding = innermost; binding !== undefined; binding = binding.outer)
    if (binding.name === name) return binding.value;
  return undefined;
}

function stop(message: string): never {
  throw new Problem('invalid-input', message);
}
