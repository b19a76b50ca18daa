import { Problem } from '../errors/problem.ts';
import type { Arrow, Tree } from './tree.ts';
import { isEqual, isList, isOrdered, isRecord, memberOf, type Context, type Value } from './values.ts';

/** The most that one evaluation may do. A step is a node visited, an item looked at, or 64 characters of a text. */
export const budget = { steps: 10_000, produced: 65_536 } as const;

/** What a condition comes to. An error makes it false. */
export interface Evaluated {
  readonly shown: boolean;
  readonly steps: number;
  readonly error?: string;
}

interface Bound {
  readonly name: string;
  readonly value: Value;
  readonly outer: Bound | undefined;
}

/** Whether a condition holds. Never throws for what a condition or a visitor brings along. */
export function evaluate(tree: Tree, context: Context): Evaluated {
  const run = new Evaluation(context);
  try {
    return { shown: Boolean(run.value(tree, undefined)), steps: run.steps };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { shown: false, steps: run.steps, error: error.message };
  }
}

class Evaluation {
  steps = 0;
  #produced = 0;
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  value(tree: Tree, bound: Bound | undefined): Value {
    this.#spend(1);
    switch (tree.kind) {
      case 'literal':
        return tree.value;
      case 'list':
        return this.#made(tree.items.map((item) => this.value(item, bound)));
      case 'root':
        return this.#context[tree.name] as Value;
      case 'parameter':
        return lookUp(tree.name, bound);
      case 'member':
        return memberOf(this.value(tree.of, bound), this.value(tree.name, bound));
      case 'call':
        return tree.arrow === undefined
          ? this.#call(
              tree.method,
              this.value(tree.on, bound),
              tree.value === undefined ? undefined : this.value(tree.value, bound),
            )
          : this.#each(tree.method, this.value(tree.on, bound), tree.arrow, bound);
      case 'not':
        return !this.value(tree.value, bound);
      case 'minus': {
        const value = this.value(tree.value, bound);
        return typeof value === 'number' ? -value : stop('"-" takes a number');
      }
      case 'compare':
        return this.#compare(tree.operator, this.value(tree.left, bound), this.value(tree.right, bound));
      case 'all':
      case 'any': {
        let last: Value;
        for (const part of tree.parts) {
          last = this.value(part, bound);
          if (Boolean(last) === (tree.kind === 'any')) return last;
        }
        return last;
      }
      case 'choice':
        return this.value(this.value(tree.test, bound) ? tree.yes : tree.no, bound);
    }
  }

  #compare(operator: string, left: Value, right: Value): boolean {
    if (operator === 'in') {
      if (isList(right)) return this.#has(right, left);
      if (isRecord(right))
        return (typeof left === 'string' || typeof left === 'number') && Object.hasOwn(right, left);
      return stop('"in" takes a list or an object on its right');
    }
    this.#read(left);
    if (operator.endsWith('==') || operator.startsWith('!'))
      return isEqual(left, right, operator.length === 3) === operator.startsWith('=');
    return isOrdered(left, operator, right);
  }

  #call(method: string, on: Value, value: Value): Value {
    this.#read(on);
    if (isList(on)) {
      if (method === 'includes') return this.#has(on, value);
      if (method === 'at') return on.at(this.#number(value));
    } else if (typeof on === 'string') {
      if (method === 'toLowerCase') return this.#made(on.toLowerCase());
      if (method === 'toUpperCase') return this.#made(on.toUpperCase());
      if (method === 'trim') return this.#made(on.trim());
      if (method === 'at') return on.at(this.#number(value));
      const text = typeof value === 'string' ? value : stop(`${method} takes a text`);
      if (method === 'includes') return on.includes(text);
      if (method === 'startsWith') return on.startsWith(text);
      if (method === 'endsWith') return on.endsWith(text);
    }
    return stop(
      `${method} cannot be called on ${on === undefined ? 'what is not there' : isList(on) ? 'a list' : `a ${typeof on}`}`,
    );
  }

  #each(method: string, on: Value, { parameters, body }: Arrow, outer: Bound | undefined): boolean {
    if (!isList(on)) return stop(`${method} takes a list`);
    const [item, place] = parameters;
    for (const [index, value] of on.entries()) {
      this.#spend(1);
      const first = item === undefined ? outer : { name: item, value, outer };
      const holds = Boolean(
        this.value(body, place === undefined ? first : { name: place, value: index, outer: first }),
      );
      if (holds === (method === 'some')) return holds;
    }
    return method === 'every';
  }

  #has(list: readonly Value[], wanted: Value): boolean {
    for (const item of list) {
      this.#read(item);
      if (item === wanted) return true;
    }
    return false;
  }

  #number(value: Value): number {
    return typeof value === 'number' ? value : stop('"at" takes a number');
  }

  /** A step for a value that is looked at, more for a long text. */
  #read(value: Value): void {
    this.#spend(typeof value === 'string' ? 1 + (value.length >> 6) : 1);
  }

  #made<T extends string | readonly Value[]>(value: T): T {
    this.#produced += value.length;
    return this.#produced > budget.produced ? stop('it makes too much text') : value;
  }

  #spend(steps: number): void {
    this.steps += steps;
    if (this.steps > budget.steps) {
      this.steps = budget.steps;
      stop(`it takes more than ${budget.steps} steps`);
    }
  }
}

function lookUp(name: string, bound: Bound | undefined): Value {
  for (let at = bound; at !== undefined; at = at.outer) if (at.name === name) return at.value;
  return undefined;
}

function stop(why: string): never {
  throw new Problem('invalid-input', why);
}
