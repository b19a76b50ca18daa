// The small changes that mutate.js makes to a source file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';
import { equivalents } from './equivalent-mutants.js';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * `why`: why no test can notice it, if that is known.
 *
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {number} start
 * @property {number} end
 * @property {string} from
 * @property {string} to
 * @property {string | undefined} why
 */

/** Operators and what takes their place. @type {Readonly<Record<string, string>>} */
const swaps = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '===': '!==',
  '!==': '===',
  '+': '-',
  '-': '+',
  '*': '/',
  '&&': '||',
  '||': '&&',
  '??': '&&',
};

/**
 * Whether a number only satisfies the compiler, as in `list[at + 1] ?? 0` or `text.codePointAt(at) ?? 0`: the index is known to
 * exist.
 *
 * @param {import('oxc-parser').Expression} left
 */
function isForTypes(left) {
  if (left.type === 'CallExpression')
    return (
      left.callee.type === 'MemberExpression' &&
      left.callee.property.type === 'Identifier' &&
      left.callee.property.name === 'codePointAt'
    );
  if (left.type !== 'MemberExpression' || !left.computed) return false;
  const { property } = left;
  if (property.type === 'BinaryExpression') return property.operator === '-' || property.operator === '+';
  if (property.type === 'Identifier') return /^(?:at|index|i|j|k|row|column)$/.test(property.name);
  return property.type === 'Literal' && typeof property.value === 'number';
}

/** Whether the file of a mutant is still a program: `a ?? b || c` is none, for example. @param {Mutant} mutant */
export function isProgram({ file, start, end, to }) {
  const text = readFileSync(join(root, file), 'utf8');
  return parseSync(file, text.slice(0, start) + to + text.slice(end)).errors.length === 0;
}

/**
 * All mutants of a file, but for literals in types, and for the negation of a condition that is one comparison, which is the
 * same change as that of its operator. `why` is set for those inside of `throw new Error(…)`, which is never reached (expected
 * errors are Problems), for numbers that only satisfy the compiler, for the operator of `one < other ? one : other`, for the
 * number of `one < other ? -1 : 1`, and for those in `equivalents`.
 *
 * @param {string} file
 * @returns {Mutant[]}
 */
export function mutantsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  const lines = text.split('\n');
  /** @type {Mutant[]} */
  const found = [];
  /** @typedef {{ start: number, end: number }} Span @type {Span[]} */
  const types = [];
  /** @type {Span[]} */
  const internalErrors = [];
  /** @type {Span[]} */
  const defaults = [];
  /** @type {Span[]} */
  const smallest = [];
  /** @type {Span[]} */
  const signs = [];
  /** @param {Span[]} spans @param {Span} inner */
  const within = (spans, inner) => spans.some(({ start, end }) => start <= inner.start && inner.end <= end);
  /** @param {number} start @param {number} end @param {string} to */
  const add = (start, end, to) => {
    const line = text.slice(0, start).split('\n').length;
    const from = text.slice(start, end);
    const source = lines[line - 1]?.trim();
    const known = equivalents.find(
      (one) =>
        one.file === file &&
        one.line === source &&
        one.from === from &&
        (one.to === undefined || one.to === to),
    );
    found.push({ file, line, start, end, from, to, why: known?.why });
  };
  /** @param {{ operator: string, left: Span, right: Span }} node */
  const swapOperator = ({ operator, left, right }) => {
    const to = swaps[operator];
    const start = text.indexOf(operator, left.end);
    if (to !== undefined && start >= 0 && start < right.start) add(start, start + operator.length, to);
  };
  /** @param {{ test: import('oxc-parser').Expression }} node */
  const negate = ({ test }) => {
    if (test.type === 'BinaryExpression' && /^[!=]==$/.test(test.operator)) return;
    add(test.start, test.end, `!(${text.slice(test.start, test.end)})`);
  };
  new Visitor({
    BinaryExpression: swapOperator,
    LogicalExpression: (node) => {
      swapOperator(node);
      if (node.operator === '??' && isForTypes(node.left)) defaults.push(node.right);
    },
    IfStatement: negate,
    ConditionalExpression: (node) => {
      negate(node);
      const { test, consequent, alternate } = node;
      if (test.type !== 'BinaryExpression' || !/^[<>]=?$/.test(test.operator)) return;
      /** @param {Span} span */
      const textOf = ({ start, end }) => text.slice(start, end);
      const results = [textOf(consequent), textOf(alternate)];
      if ([textOf(test.left), textOf(test.right)].every((part) => results.includes(part)))
        smallest.push({ start: test.left.end, end: test.right.start });
      if (test.right.type !== 'Literal' && ['-1', '1'].every((part) => results.includes(part)))
        signs.push(consequent, alternate);
    },
    ExpressionStatement: ({ start, end, expression }) => {
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
      if (call.type === 'CallExpression') add(start, end, ';');
    },
    Literal: ({ start, end, value }) => {
      if (typeof value === 'boolean') add(start, end, String(!value));
      if (typeof value === 'number' && text[start - 1] !== '-')
        add(start, end, `(${text.slice(start, end)} + 1)`);
    },
    TSLiteralType: (node) => types.push(node),
    ThrowStatement: (node) => {
      const { argument } = node;
      if (
        argument.type === 'NewExpression' &&
        text.slice(argument.callee.start, argument.callee.end) === 'Error'
      )
        internalErrors.push(node);
    },
  }).visit(parseSync(file, text).program);
  /** @param {Mutant} mutant */
  const whyUnnoticed = (mutant) => {
    if (within(defaults, mutant)) return 'satisfies the compiler only';
    if (within(smallest, mutant)) return 'chooses between two equal values';
    if (within(signs, mutant)) return 'does not change the sign of a comparison';
    return within(internalErrors, mutant) ? 'in an internal error that is never reached' : mutant.why;
  };
  return found
    .filter((mutant) => !within(types, mutant))
    .map((mutant) => ({ ...mutant, why: whyUnnoticed(mutant) }));
}
