import { didYouMean } from '../contract/nearest.ts';
import type { ClaimSchema } from './claims.ts';
import type { Fault } from './fault.ts';
import { methods, type Tree } from './tree.ts';
import { any, commonOf, flag, isOpen, knownLiteral, knownOf, nouns, sayKind, type Known } from './types.ts';

type Scope = ReadonlyMap<string, Known>;

/** What in a condition does not fit a visitor schema: claims it does not have, and comparisons that can never hold. */
export function checkCondition(tree: Tree, schema: ClaimSchema): Fault[] {
  const faults: Fault[] = [];
  new Check(schema, faults).known(tree, new Map());
  return faults;
}

class Check {
  readonly #claims: Known;
  readonly #faults: Fault[];

  constructor(schema: ClaimSchema, faults: Fault[]) {
    this.#claims = { kind: 'object', called: 'visitor.claims', properties: schema.properties ?? {} };
    this.#faults = faults;
  }

  known(tree: Tree, scope: Scope): Known {
    switch (tree.kind) {
      case 'literal':
        return knownLiteral(tree.value);
      case 'list':
        return { kind: 'list', items: commonOf(tree.items.map((item) => this.known(item, scope))) };
      case 'root':
        return any;
      case 'parameter':
        return scope.get(tree.name) ?? any;
      case 'member':
        return this.#member(tree, scope);
      case 'call':
        return this.#call(tree, scope);
      case 'not':
        this.known(tree.value, scope);
        return flag;
      case 'minus': {
        const value = this.known(tree.value, scope);
        if (value.kind !== 'number' && !isOpen(value))
          this.#fault(tree, `"-" takes a number; ${sayKind(value)}`);
        return { kind: 'number' };
      }
      case 'compare':
        this.#compare(tree, scope);
        return flag;
      case 'all':
      case 'any':
        return commonOf(tree.parts.map((part) => this.known(part, scope)));
      case 'choice':
        this.known(tree.test, scope);
        return commonOf([this.known(tree.yes, scope), this.known(tree.no, scope)]);
    }
  }

  #member({ of, name }: Tree & { kind: 'member' }, scope: Scope): Known {
    if (of.kind === 'root') return of.name === 'visitor' ? this.#claims : any;
    const owner = this.known(of, scope);
    this.known(name, scope);
    if (owner.kind === 'any') return any;
    if (name.kind !== 'literal') return owner.kind === 'list' ? (owner.items ?? any) : any;
    const said = String(name.value);
    if (owner.kind === 'object') {
      if (owner.properties === undefined) return any;
      if (Object.hasOwn(owner.properties, said))
        return knownOf(owner.properties[said]!, `${owner.called}.${said}`);
      this.#fault(
        name,
        `there is no claim "${said.slice(0, 100)}" in ${owner.called}${didYouMean(said, Object.keys(owner.properties))}`,
      );
      return any;
    }
    if (said === 'length' && (owner.kind === 'string' || owner.kind === 'list')) return { kind: 'number' };
    if (owner.kind === 'list' && typeof name.value === 'number') return owner.items ?? any;
    this.#fault(name, `${sayKind(owner)}, which has no "${said.slice(0, 100)}"`);
    return any;
  }

  #call({ on, method, value, arrow, at }: Tree & { kind: 'call' }, scope: Scope): Known {
    const owner = this.known(on, scope);
    const given = value === undefined ? undefined : this.known(value, scope);
    const isList = owner.kind === 'list';
    if (
      !isOpen(owner) &&
      !Object.hasOwn(isList ? methods.list : owner.kind === 'string' ? methods.string : {}, method)
    )
      this.#fault({ at }, `${sayKind(owner)}, which has no "${method}"`);
    if (arrow !== undefined) {
      const [item, place] = arrow.parameters;
      const inner = new Map(scope);
      if (item !== undefined) inner.set(item, (isList ? owner.items : undefined) ?? any);
      if (place !== undefined) inner.set(place, { kind: 'number' });
      this.known(arrow.body, inner);
      return flag;
    }
    if (method === 'toLowerCase' || method === 'toUpperCase' || method === 'trim') return { kind: 'string' };
    if (method === 'at') {
      if (given !== undefined && given.kind !== 'number' && !isOpen(given))
        this.#fault(value!, `"at" takes a number; ${sayKind(given)}`);
      return isList ? (owner.items ?? any) : owner.kind === 'string' ? { kind: 'string' } : any;
    }
    if (given !== undefined && isList && owner.items !== undefined) this.#meet(owner.items, given, value!);
    if (given !== undefined && owner.kind === 'string' && given.kind !== 'string' && !isOpen(given))
      this.#fault(value!, `${method} takes a text; ${sayKind(given)}`);
    return flag;
  }

  #compare({ operator, left, right, at }: Tree & { kind: 'compare' }, scope: Scope): void {
    const [one, other] = [this.known(left, scope), this.known(right, scope)];
    if (operator === 'in') {
      if (other.kind === 'list') this.#meet(other.items ?? any, one, left);
      else if (other.kind !== 'object' && !isOpen(other))
        this.#fault(right, `"in" takes a list or an object; ${sayKind(other)}`);
      return;
    }
    if (operator.startsWith('=') || operator.startsWith('!'))
      return this.#meet(one, other, right.kind === 'literal' || left.kind !== 'literal' ? right : left);
    if (isOpen(one) || isOpen(other)) return;
    const wrong = [one, other].find(({ kind }) => kind !== 'number' && kind !== 'string');
    if (wrong !== undefined) this.#fault({ at }, `"${operator}" takes numbers or texts; ${sayKind(wrong)}`);
    else if (one.kind !== other.kind)
      this.#fault(right, `"${operator}" takes two numbers or two texts; ${sayKind(one)}, ${sayKind(other)}`);
  }

  /** Two values that are to be equal have to be able to. */
  #meet(one: Known, other: Known, place: { readonly at: number }): void {
    if (isOpen(one) || isOpen(other)) return;
    const [claim, value] = one.called === undefined ? [other, one] : [one, other];
    if (one.kind !== other.kind)
      return this.#fault(place, `${sayKind(claim)}, and never equals ${sayValue(value)}`);
    if (
      claim.values === undefined ||
      value.values === undefined ||
      claim.values.some((text) => value.values!.includes(text))
    )
      return;
    const said = value.values.length === 1 ? value.values[0]! : undefined;
    this.#fault(
      place,
      said === undefined || claim.called === undefined
        ? 'the two can never be equal'
        : `${claim.called} is never ${JSON.stringify(said.slice(0, 100))}${didYouMean(said, claim.values) || `; it is one of: ${claim.values.slice(0, 10).join(', ')}`}`,
    );
  }

  #fault({ at }: { readonly at: number }, message: string): void {
    if (this.#faults.length < 10) this.#faults.push({ at, message });
  }
}

function sayValue(value: Known): string {
  if (value.called !== undefined) return `${value.called}, which is ${nouns[value.kind]}`;
  return value.kind === 'string' && value.values?.length === 1
    ? `the text ${JSON.stringify(value.values[0]!.slice(0, 40))}`
    : nouns[value.kind];
}
