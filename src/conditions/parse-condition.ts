import {
  parseExpressionAt,
  tokenizer,
  type CallExpression,
  type Expression,
  type MemberExpression,
  type Token,
} from 'acorn';
import { ownValue } from '../contract/values.ts';
import { didYouMean } from '../contract/nearest.ts';
import { comparisons, forbiddenNames, methods, roots, type ConditionNode } from './condition-node.ts';

/** Maximum number of characters that the API accepts (docs/api-operations.md). */
const maxCharacters = 1024;
// These limits keep the recursion of acorn's parser and of this file shallow.
const maxTokens = 512;
const maxBrackets = 32;
const maxDepth = 64;

/** The reason why a condition is invalid; `at` is an offset in its text. */
export class ConditionError extends Error {
  readonly at: number;

  constructor(at: number, message: string) {
    super(message);
    this.at = at;
  }

  /** Returns the error with its column, counted from 1. */
  override toString(): string {
    return `column ${this.at + 1}: ${this.message}`;
  }
}

function refuse(at: number, message: string): never {
  throw new ConditionError(at, message);
}

const syntax = { ecmaVersion: 2022, sourceType: 'module', preserveParens: true } as const;

/** Parses any text as a condition and returns its tree or the first error. An empty condition is true. */
export function parseCondition(text: string): ConditionNode | ConditionError {
  try {
    const tokens = readTokens(text);
    if (tokens.length === 0) return { kind: 'literal', value: true, at: 0 };
    const expression = parseExpressionAt(text, 0, syntax);
    const extra = tokens.find(({ start }) => start >= expression.end);
    if (extra !== undefined)
      refuse(extra.start, 'a condition is a single expression, which is already complete before this');
    return convert(expression, { parameters: new Set(), depth: 0 });
  } catch (error) {
    if (error instanceof ConditionError) return error;
    if (error instanceof SyntaxError) return convertSyntaxError(error, text);
    throw error;
  }
}

function convertSyntaxError({ message, pos: at = 0 }: SyntaxError & { pos?: number }, text: string) {
  if (at >= text.trimEnd().length) return new ConditionError(at, 'the expression ends too early');
  const reason = message.replace(/ \(\d+:\d+\)$/, '');
  if (reason === 'Unexpected token')
    return new ConditionError(at, `"${text.charAt(at)}" is not expected here`);
  return new ConditionError(at, reason.charAt(0).toLowerCase() + reason.slice(1));
}

/** The tokens that conditions have, by acorn's labels. */
const tokenLabels = new Set(
  '( ) [ ] num string name , : . ? => || && ==/!=/===/!== </>/<=/>= null true false in !/~ +/-'.split(' '),
);
const explanations: Readonly<Record<string, string>> = {
  '=': 'a condition cannot assign; compare with "=="',
  regexp: 'a condition cannot contain regular expressions; use startsWith, endsWith or includes',
  '?.': 'write "." instead of "?."; a missing claim is undefined',
  '{': 'a condition cannot contain blocks or objects',
};

/** Reads the tokens in one pass without recursion, so that acorn's parser sees no deep nesting and no foreign token. */
function readTokens(text: string): Token[] {
  if (text.length > maxCharacters)
    refuse(maxCharacters, `a condition can have at most ${maxCharacters} characters`);
  const tokens: Token[] = [];
  let open = 0;
  for (const token of tokenizer(text, syntax)) {
    const { start, end } = token;
    const { label } = token.type;
    if (!isAllowed(token)) {
      const written = text.slice(start, Math.min(end, start + 20));
      refuse(start, explanations[label] ?? `"${written}" is not part of a condition`);
    }
    if ((label === '(' || label === '[') && ++open > maxBrackets)
      refuse(start, `brackets can be nested at most ${maxBrackets} levels deep`);
    if (label === ')' || label === ']') open--;
    if (tokens.push(token) > maxTokens)
      refuse(start, `a condition can have at most ${maxTokens} words and signs`);
  }
  return tokens;
}

function isAllowed({ type, value }: Token & { value?: unknown }): boolean {
  if (type.label === '!/~') return value === '!';
  if (type.label === '+/-') return value === '-';
  return tokenLabels.has(type.label) && typeof value !== 'bigint';
}

interface Scope {
  readonly parameters: ReadonlySet<string>;
  readonly depth: number;
}
type Argument = CallExpression['arguments'][number];
type Node = Argument | MemberExpression['object'] | MemberExpression['property'];

/** Converts acorn's tree to a condition. Rejects kinds of nodes that are not listed here. */
function convert(node: Node, outer: Scope): ConditionNode {
  const at = node.start;
  const scope = { ...outer, depth: outer.depth + 1 };
  if (scope.depth > maxDepth) refuse(at, `expressions can be nested at most ${maxDepth} levels deep`);
  switch (node.type) {
    case 'ParenthesizedExpression':
      return convert(node.expression, scope);
    case 'Literal': {
      const { value } = node;
      if ((typeof value === 'object' && value !== null) || typeof value === 'bigint' || value === undefined)
        return refuse(at, 'a condition can contain strings, numbers, true, false and null');
      return { kind: 'literal', value, at };
    }
    case 'Identifier':
      return convertName(node.name, at, scope);
    case 'ArrayExpression': {
      const items = node.elements.map((item) =>
        convert(item ?? refuse(at, 'an item of this list is missing'), scope),
      );
      return { kind: 'list', items, at };
    }
    case 'MemberExpression':
      return convertMember(node, scope);
    case 'CallExpression':
      return convertCall(node, scope);
    case 'UnaryExpression':
      if (node.operator !== '!' && node.operator !== '-')
        return refuse(at, `"${node.operator}" is not part of a condition`);
      return {
        kind: node.operator === '!' ? 'not' : 'negate',
        operand: convert(node.argument, scope),
        at,
      };
    case 'BinaryExpression': {
      const operator = comparisons.find((comparison) => comparison === node.operator);
      if (operator === undefined)
        return refuse(
          at,
          `"${node.operator}" is not an operator of conditions; use ${comparisons.join(' ')} && || ! ?:`,
        );
      const left = convert(node.left, scope);
      return { kind: 'compare', operator, left, right: convert(node.right, scope), at };
    }
    case 'LogicalExpression': {
      const operands = flattenChain(node, node.operator).map((operand) => convert(operand, scope));
      return { kind: node.operator === '&&' ? 'and' : 'or', operands, at };
    }
    case 'ConditionalExpression': {
      const [test, yes] = [convert(node.test, scope), convert(node.consequent, scope)];
      return { kind: 'conditional', test, yes, no: convert(node.alternate, scope), at };
    }
    case 'ArrowFunctionExpression':
      return refuse(at, 'only "some" and "every" take a function');
    default:
      return refuse(at, 'this is not part of a condition');
  }
}

/** Lists the operands of `a && b && c`, so that a long chain is not deep. */
function flattenChain(node: Expression, operator: string): Expression[] {
  const operands: Expression[] = [];
  let first = node;
  for (; first.type === 'LogicalExpression' && first.operator === operator; first = first.left)
    operands.unshift(first.right);
  return [first, ...operands];
}

function convertName(name: string, at: number, { parameters }: Scope): ConditionNode {
  if (parameters.has(name)) return { kind: 'parameter', name, at };
  if (name === 'undefined') return { kind: 'literal', value: undefined, at };
  return refuse(
    at,
    isRoot(name)
      ? `"${name}" alone is not a value; write ${name}.${roots[name]} and a name`
      : `there is no "${name.slice(0, 40)}"; use visitor.claims, space.vars or page.vars`,
  );
}

function convertMember(node: MemberExpression, scope: Scope): ConditionNode {
  const { object, property: name, start: at } = node;
  const property: ConditionNode =
    !node.computed && name.type === 'Identifier'
      ? { kind: 'literal', value: name.name, at: name.start }
      : convert(name, scope);
  if (property.kind === 'literal' && forbiddenNames.has(String(property.value)))
    refuse(property.at, `"${property.value}" cannot be used in a condition`);
  if (object.type !== 'Identifier' || !isRoot(object.name) || scope.parameters.has(object.name))
    return { kind: 'member', object: convert(object, scope), property, at };
  if (property.kind !== 'literal' || property.value !== roots[object.name])
    refuse(property.at, `${object.name} has only "${roots[object.name]}"`);
  return { kind: 'member', object: { kind: 'root', name: object.name, at: object.start }, property, at };
}

const argumentNouns = { nothing: 'nothing', value: 'one value', function: 'one function' };
const argumentOf: Readonly<Record<string, keyof typeof argumentNouns>> = {
  ...methods.string,
  ...methods.list,
};

function convertCall({ callee, arguments: values, start: at }: CallExpression, scope: Scope): ConditionNode {
  if (callee.type !== 'MemberExpression' || callee.computed || callee.property.type !== 'Identifier')
    return refuse(at, 'only methods can be called, such as startsWith');
  const { name, start } = callee.property;
  const object = convert(callee.object, scope);
  const expected = ownValue(argumentOf, name);
  if (expected === undefined) {
    const known = Object.keys(argumentOf);
    const hint = didYouMean(name, known) || `; use one of ${known.join(', ')}`;
    return refuse(start, `there is no method "${name.slice(0, 40)}"${hint}`);
  }
  const [value] = values;
  if (values.length !== (expected === 'nothing' ? 0 : 1))
    refuse(start, `${name} takes ${argumentNouns[expected]}`);
  if (value !== undefined && (name === 'some' || name === 'every'))
    return { kind: name, list: object, ...convertCallback(value, scope), at };
  const call = { kind: 'call', object, method: name as keyof typeof methods.string, at } as const;
  return value === undefined ? call : { ...call, argument: convert(value, scope) };
}

function convertCallback(node: Argument, { parameters: outer, depth }: Scope) {
  if (node.type !== 'ArrowFunctionExpression' || node.async || node.body.type === 'BlockStatement')
    return refuse(node.start, 'this takes a function of one expression, such as p => p == "api"');
  const parameters = node.params.map((parameter) => {
    if (parameter.type !== 'Identifier') return refuse(parameter.start, 'a parameter must be a name');
    if (isRoot(parameter.name) || parameter.name === 'undefined')
      refuse(parameter.start, `a parameter cannot be called "${parameter.name}"`);
    return parameter.name;
  });
  if (parameters.length > 2) refuse(node.start, 'a function takes an item and, optionally, its index');
  return { parameters, test: convert(node.body, { parameters: new Set([...outer, ...parameters]), depth }) };
}

function isRoot(name: string): name is keyof typeof roots {
  return Object.hasOwn(roots, name);
}
