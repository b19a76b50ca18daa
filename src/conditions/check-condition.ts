import { didYouMean } from '../contract/nearest.ts';
import { propertyOf, type ClaimSchema } from './claims.ts';
import { methods, type ConditionNode } from './condition-node.ts';
import { ConditionError } from './parse-condition.ts';

type NodeOf<Kind> = Extract<ConditionNode, { readonly kind: Kind }>;
type Located = Pick<ConditionNode, 'at'>;
type Scope = ReadonlyMap<string, Type>;

/** The static type of a value, derived from the schema and the text of a condition. */
interface Type {
  readonly kind: 'boolean' | 'number' | 'string' | 'list' | 'object' | 'null' | 'undefined' | 'any';
  /** The name of the claim, such as `visitor.claims.plan`. */
  readonly claim?: string;
  /** The only possible texts. */
  readonly values?: readonly string[] | undefined;
  readonly items?: Type;
  readonly properties?: Readonly<Record<string, ClaimSchema>>;
}

const anyType: Type = { kind: 'any' };
const booleanType: Type = { kind: 'boolean' };
const numberType: Type = { kind: 'number' };
const stringType: Type = { kind: 'string' };

/** Returns at most 10 errors of a condition: unknown claims, and comparisons that are never true. */
export function checkCondition(condition: ConditionNode, schema: ClaimSchema): ConditionError[] {
  const checker = new TypeChecker(schema);
  checker.typeOf(condition, new Map());
  return checker.errors;
}

class TypeChecker {
  readonly errors: ConditionError[] = [];
  readonly #claims: Type;

  constructor({ properties = {} }: ClaimSchema) {
    this.#claims = { kind: 'object', claim: 'visitor.claims', properties };
  }

  typeOf(node: ConditionNode, scope: Scope): Type {
    switch (node.kind) {
      case 'literal':
        return typeOfLiteral(node.value);
      case 'list':
        return { kind: 'list', items: commonType(node.items.map((item) => this.typeOf(item, scope))) };
      case 'root':
        return anyType;
      case 'parameter':
        return scope.get(node.name) ?? anyType;
      case 'member':
        return this.#member(node, scope);
      case 'call':
        return this.#call(node, scope);
      case 'some':
      case 'every': {
        const list = this.typeOf(node.list, scope);
        this.#expectMethod(list, node.kind, node);
        const [item, index] = node.parameters;
        const inner = new Map(scope);
        if (item !== undefined) inner.set(item, itemType(list));
        if (index !== undefined) inner.set(index, numberType);
        this.typeOf(node.test, inner);
        return booleanType;
      }
      case 'not':
        this.typeOf(node.operand, scope);
        return booleanType;
      case 'negate':
        this.#expect('number', this.typeOf(node.operand, scope), '"-" takes a number', node);
        return numberType;
      case 'compare':
        this.#compare(node, scope);
        return booleanType;
      case 'and':
      case 'or':
        return commonType(node.operands.map((operand) => this.typeOf(operand, scope)));
      case 'conditional':
        this.typeOf(node.test, scope);
        return commonType([this.typeOf(node.yes, scope), this.typeOf(node.no, scope)]);
    }
  }

  #member({ object, property }: NodeOf<'member'>, scope: Scope): Type {
    if (object.kind === 'root') return object.name === 'visitor' ? this.#claims : anyType;
    const owner = this.typeOf(object, scope);
    this.typeOf(property, scope);
    if (owner.kind === 'any') return anyType;
    if (property.kind !== 'literal') return itemType(owner);
    const name = String(property.value);
    if (owner.kind === 'object') {
      if (owner.properties === undefined) return anyType;
      const schema = propertyOf(owner, name);
      if (schema !== undefined) return typeOfClaim(schema, `${owner.claim}.${name}`);
      const suggestion = didYouMean(name, Object.keys(owner.properties));
      this.#report(property, `there is no claim "${name.slice(0, 100)}" in ${owner.claim}${suggestion}`);
      return anyType;
    }
    if (name === 'length' && (owner.kind === 'string' || owner.kind === 'list')) return numberType;
    if (owner.kind === 'list' && typeof property.value === 'number') return itemType(owner);
    this.#report(property, `${describeType(owner)}, which has no "${name.slice(0, 100)}"`);
    return anyType;
  }

  #call(node: NodeOf<'call'>, scope: Scope): Type {
    const { object, method, argument } = node;
    const owner = this.typeOf(object, scope);
    const value = argument === undefined ? anyType : this.typeOf(argument, scope);
    this.#expectMethod(owner, method, node);
    if (argument === undefined) return stringType;
    if (method === 'at') {
      this.#expect('number', value, '"at" takes a number', argument);
      return owner.kind === 'string' ? stringType : itemType(owner);
    }
    if (owner.kind === 'list') this.#expectEqual(itemType(owner), value, argument);
    if (owner.kind === 'string') this.#expect('string', value, `${method} takes a string`, argument);
    return booleanType;
  }

  #compare({ operator, left, right, at }: NodeOf<'compare'>, scope: Scope): void {
    const [one, other] = [this.typeOf(left, scope), this.typeOf(right, scope)];
    if (operator === 'in') {
      if (other.kind === 'list') this.#expectEqual(itemType(other), one, left);
      else if (other.kind !== 'object')
        this.#expect('list', other, '"in" takes a list or an object on its right', right);
      return;
    }
    if (operator.startsWith('=') || operator.startsWith('!'))
      return this.#expectEqual(
        one,
        other,
        right.kind === 'literal' || left.kind !== 'literal' ? right : left,
      );
    if (isUnknown(one) || isUnknown(other)) return;
    const wrong = [one, other].find(({ kind }) => kind !== 'number' && kind !== 'string');
    if (wrong !== undefined)
      this.#report({ at }, `"${operator}" compares numbers or strings, but ${describeType(wrong)}`);
    else if (one.kind !== other.kind)
      this.#report(
        right,
        `"${operator}" compares two numbers or two strings, but ${describeType(one)} and ${describeType(other)}`,
      );
  }

  /** Reports two values that are compared for equality but can never be equal. */
  #expectEqual(one: Type, other: Type, place: Located): void {
    if (isUnknown(one) || isUnknown(other)) return;
    const [claim, value] = one.claim === undefined ? [other, one] : [one, other];
    if (one.kind !== other.kind)
      return this.#report(place, `${describeType(claim)}, and never equals ${describeOperand(value)}`);
    const [possible, wanted] = [claim.values, value.values];
    if (possible === undefined || wanted === undefined || possible.some((text) => wanted.includes(text)))
      return;
    const [text] = wanted;
    if (text === undefined || wanted.length > 1 || claim.claim === undefined)
      return this.#report(place, 'these two values can never be equal');
    const suggestion = didYouMean(text, possible) || `; its values are: ${possible.slice(0, 10).join(', ')}`;
    this.#report(place, `${claim.claim} is never ${JSON.stringify(text.slice(0, 100))}${suggestion}`);
  }

  #expect(kind: Type['kind'], type: Type, rule: string, place: Located): void {
    if (type.kind !== kind && !isUnknown(type)) this.#report(place, `${rule}; ${describeType(type)}`);
  }

  #expectMethod(owner: Type, method: string, place: Located): void {
    const availableMethods = owner.kind === 'list' || owner.kind === 'string' ? methods[owner.kind] : {};
    if (!isUnknown(owner) && !Object.hasOwn(availableMethods, method))
      this.#report(place, `${describeType(owner)}, which has no "${method}"`);
  }

  #report({ at }: Located, message: string): void {
    if (this.errors.length < 10) this.errors.push(new ConditionError(at, message));
  }
}

function typeOfLiteral(value: NodeOf<'literal'>['value']): Type {
  if (typeof value === 'string') return { kind: 'string', values: [value] };
  if (value === null) return { kind: 'null' };
  return { kind: typeof value as 'boolean' | 'number' | 'undefined' };
}

function typeOfClaim({ type, enum: values, items, properties = {} }: ClaimSchema, claim: string): Type {
  switch (type) {
    case 'boolean':
    case 'number':
      return { kind: type, claim };
    case 'string':
      return { kind: type, claim, values };
    case 'array':
      return { kind: 'list', claim, items: items ? typeOfClaim(items, `an item of ${claim}`) : anyType };
    case 'object':
      return { kind: type, claim, properties };
    default:
      return anyType;
  }
}

function itemType({ items = anyType }: Type): Type {
  return items;
}

function commonType(types: readonly Type[]): Type {
  const [first] = types;
  if (first === undefined || types.some(({ kind }) => kind !== first.kind)) return anyType;
  if (first.kind !== 'string') return { kind: first.kind };
  const isListed = types.every(({ values }) => values !== undefined);
  return isListed
    ? { kind: 'string', values: [...new Set(types.flatMap(({ values = [] }) => values))] }
    : stringType;
}

/** Whether a comparison with this type cannot be checked statically. */
function isUnknown({ kind }: Type): boolean {
  return kind === 'any' || kind === 'null' || kind === 'undefined';
}

const typeNouns: Readonly<Record<Type['kind'], string>> = {
  boolean: 'true or false',
  number: 'a number',
  string: 'a string',
  list: 'a list',
  object: 'an object',
  null: 'null',
  undefined: 'undefined',
  any: 'anything',
};

/** Describes a value with its type, such as "visitor.claims.plan is a text". */
function describeType({ claim, kind, values = [] }: Type): string {
  const [value] = values;
  if (claim === undefined && value !== undefined && values.length === 1)
    return `${JSON.stringify(value.slice(0, 40))} is a string`;
  return `${claim ?? 'this'} is ${typeNouns[kind]}`;
}

function describeOperand({ claim, kind, values = [] }: Type): string {
  if (claim !== undefined) return `${claim}, which is ${typeNouns[kind]}`;
  const [value] = values;
  if (value === undefined || values.length > 1) return typeNouns[kind];
  return `the string ${JSON.stringify(value.slice(0, 40))}`;
}
