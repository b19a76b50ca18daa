import type {
  CallExpression,
  Expression,
  Literal,
  MemberExpression,
  PrivateIdentifier,
  SpreadElement,
  Super,
} from 'acorn';
import { didYouMean } from '../contract/nearest.ts';
import type { Fault } from './fault.ts';
import {
  comparisons,
  forbiddenNames,
  limits,
  methods,
  roots,
  type Arrow,
  type Comparison,
  type Method,
  type Root,
  type Tree,
} from './tree.ts';

type Node = Expression | SpreadElement | Super | PrivateIdentifier;
interface Scope {
  readonly parameters: ReadonlySet<string>;
  readonly depth: number;
}

/** Thrown and caught in this file alone: a fault that lies deep in an expression. */
class Refused {
  readonly fault: Fault;

  constructor(at: number, message: string) {
    this.fault = { at, message };
  }
}

/** Our own tree of what the parser read: only what is listed here gets through. */
export function treeOf(expression: Expression): Tree | Fault {
  try {
    return convert(expression, { parameters: new Set(), depth: 0 });
  } catch (error) {
    if (error instanceof Refused) return error.fault;
    throw error;
  }
}

function convert(node: Node, outer: Scope): Tree {
  const at = node.start;
  const scope = { ...outer, depth: outer.depth + 1 };
  if (scope.depth > limits.depth) throw new Refused(at, `expressions can lie at most ${limits.depth} deep`);
  switch (node.type) {
    case 'ParenthesizedExpression':
      return convert(node.expression, scope);
    case 'Literal':
      return { kind: 'literal', value: valueOf(node), at };
    case 'Identifier':
      return nameOf(node.name, at, scope);
    case 'ArrayExpression':
      return {
        kind: 'list',
        items: node.elements.map((item) =>
          item === null ? refuse(at, 'a list has no holes') : convert(item, scope),
        ),
        at,
      };
    case 'MemberExpression':
      return memberOf(node, scope);
    case 'CallExpression':
      return callOf(node, scope);
    case 'UnaryExpression':
      return {
        kind:
          node.operator === '!'
            ? 'not'
            : node.operator === '-'
              ? 'minus'
              : refuse(at, `"${node.operator}" is not part of a condition`),
        value: convert(node.argument, scope),
        at,
      };
    case 'BinaryExpression': {
      const operator = comparisons.find((known) => known === node.operator);
      if (operator === undefined)
        throw new Refused(
          at,
          `"${node.operator}" is not an operator of conditions; there are ${comparisons.join(' ')} && || ! ?:`,
        );
      return {
        kind: 'compare',
        operator: operator satisfies Comparison,
        left: convert(node.left, scope),
        right: convert(node.right, scope),
        at,
      };
    }
    case 'LogicalExpression': {
      if (node.operator === '??') throw new Refused(at, '"??" is not an operator of conditions');
      return {
        kind: node.operator === '&&' ? 'all' : 'any',
        parts: chain(node, node.operator).map((part) => convert(part, scope)),
        at,
      };
    }
    case 'ConditionalExpression':
      return {
        kind: 'choice',
        test: convert(node.test, scope),
        yes: convert(node.consequent, scope),
        no: convert(node.alternate, scope),
        at,
      };
    case 'ArrowFunctionExpression':
      throw new Refused(at, 'a function can only be given to some and every');
    default:
      throw new Refused(at, 'this is not part of a condition');
  }
}

/** The parts of `a && b && c`, so that long ones do not lie deep. */
function chain(first: Expression, operator: string): Expression[] {
  const parts: Expression[] = [];
  let node = first;
  while (node.type === 'LogicalExpression' && node.operator === operator) {
    parts.unshift(node.right);
    node = node.left;
  }
  return [node, ...parts];
}

function valueOf({ value, start }: Literal): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' || value === null)
    return value;
  throw new Refused(start, 'a condition has texts, numbers, true, false and null');
}

function nameOf(name: string, at: number, { parameters }: Scope): Tree {
  if (parameters.has(name)) return { kind: 'parameter', name, at };
  if (name === 'undefined') return { kind: 'literal', value: undefined, at };
  if (!isRoot(name))
    throw new Refused(
      at,
      `there is no "${name.slice(0, 40)}"; a condition begins with visitor.claims, space.vars or page.vars`,
    );
  throw new Refused(at, `"${name}" by itself says nothing; write ${name}.${roots[name]} and a name`);
}

function memberOf(node: MemberExpression, scope: Scope): Tree {
  const name = memberName(node, scope);
  const { object } = node;
  if (object.type === 'Identifier' && isRoot(object.name) && !scope.parameters.has(object.name)) {
    if (name.kind !== 'literal' || name.value !== roots[object.name])
      throw new Refused(name.at, `${object.name} has only "${roots[object.name]}"`);
    return {
      kind: 'member',
      of: { kind: 'root', name: object.name, at: object.start },
      name,
      at: node.start,
    };
  }
  return { kind: 'member', of: convert(object, scope), name, at: node.start };
}

function memberName({ property, computed }: MemberExpression, scope: Scope): Tree {
  const name: Tree =
    !computed && property.type === 'Identifier'
      ? { kind: 'literal', value: property.name, at: property.start }
      : convert(property, scope);
  if (name.kind === 'literal' && forbiddenNames.has(String(name.value)))
    throw new Refused(name.at, `"${String(name.value)}" cannot be used in a condition`);
  return name;
}

function callOf({ callee, arguments: given, start }: CallExpression, scope: Scope): Tree {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
    throw new Refused(start, 'only methods can be called, by their names');
  const { name, start: at } = callee.property;
  const on = convert(callee.object, scope);
  const kind = methodKind(name);
  if (kind === undefined) {
    const known = [...new Set([...Object.keys(methods.string), ...Object.keys(methods.list)])];
    throw new Refused(
      at,
      `there is no method "${name.slice(0, 40)}"${didYouMean(name, known) || `; there are ${known.join(', ')}`}`,
    );
  }
  const [first] = given;
  if (given.length !== (kind === 'nothing' ? 0 : 1))
    throw new Refused(
      at,
      `${name} takes ${kind === 'nothing' ? 'nothing' : kind === 'value' ? 'one value' : 'one function'}`,
    );
  const call = { kind: 'call', on, method: name as Method, at: start } as const;
  if (first === undefined) return { ...call, value: undefined, arrow: undefined };
  if (kind === 'value') return { ...call, value: convert(first, scope), arrow: undefined };
  return { ...call, value: undefined, arrow: arrowOf(first, scope) };
}

function arrowOf(node: Node, scope: Scope): Arrow {
  if (node.type !== 'ArrowFunctionExpression' || node.async || node.body.type === 'BlockStatement')
    throw new Refused(node.start, 'this takes a function of one expression, such as p => p == "api"');
  const parameters = node.params.map((parameter) => {
    if (parameter.type !== 'Identifier') throw new Refused(parameter.start, 'a parameter is a name');
    if (isRoot(parameter.name) || parameter.name === 'undefined')
      throw new Refused(parameter.start, `a parameter cannot be called "${parameter.name}"`);
    return parameter.name;
  });
  if (parameters.length > 2)
    throw new Refused(node.start, 'a function takes an item and, if need be, its place');
  return {
    parameters,
    body: convert(node.body, {
      parameters: new Set([...scope.parameters, ...parameters]),
      depth: scope.depth,
    }),
  };
}

function methodKind(name: string): 'nothing' | 'value' | 'arrow' | undefined {
  if (Object.hasOwn(methods.string, name)) return methods.string[name as keyof typeof methods.string];
  return Object.hasOwn(methods.list, name) ? methods.list[name as keyof typeof methods.list] : undefined;
}

function isRoot(name: string): name is Root {
  return Object.hasOwn(roots, name);
}

function refuse(at: number, message: string): never {
  throw new Refused(at, message);
}
