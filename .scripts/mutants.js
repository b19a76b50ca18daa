// The small changes that mutate.js makes to a source file.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * `onLoad`: whether it is outside of functions, and runs when its module is loaded. `forTypes`: see `isForTypes`.
 *
 * @typedef {object} Mutant
 * @property {string} file
 * @property {number} line
 * @property {number} start
 * @property {number} end
 * @property {string} from
 * @property {string} to
 * @property {boolean} onLoad
 * @property {boolean} forTypes
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
 * Constants that only say in how many pieces work is done, or how much is kept to be fast. The results are the same.
 *
 * @type {Readonly<Record<string, string[]>>}
 */
const pieces = {
  'src/pdf/budget.ts': ['effortPerTurn'],
  'src/pdf/canvas.ts': ['sheetsPerCache'],
  'src/resources/conversations/stored-state.ts': ['readsPerTurn'],
  'src/stores/json-format.ts': ['chunkSize'],
  'src/stores/sqlite/upgrade.ts': ['batchSize'],
};

/**
 * Whether a number only satisfies the compiler, as in `list[at + 1] ?? 0` or `text.codePointAt(at) ?? 0`: the index is known to
 * exist. Such a number is not tried if no test runs it.
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

/**
 * All mutants of a file. Left out is what nobody could notice: literals in types; what is inside of `throw new Error(…)`,
 * which is never reached (expected errors are Problems); numbers of `pieces`; the negation of a condition that is one
 * comparison, which is the same change as that of its operator.
 *
 * @param {string} file
 * @returns {Mutant[]}
 */
export function mutantsOf(file) {
  const text = readFileSync(join(root, file), 'utf8');
  /** @type {Mutant[]} */
  const found = [];
  /** @typedef {{ start: number, end: number }} Span @type {Span[]} */
  const functions = [];
  /** @type {Span[]} */
  const unnoticed = [];
  /** @type {Span[]} */
  const defaults = [];
  /** @param {Span[]} spans @param {Span} inner */
  const within = (spans, inner) => spans.some(({ start, end }) => start <= inner.start && inner.end <= end);
  /** @param {number} start @param {number} end @param {string} to */
  const add = (start, end, to) => {
    const line = text.slice(0, start).split('\n').length;
    found.push({ file, line, start, end, from: text.slice(start, end), to, onLoad: true, forTypes: false });
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
  /** @param {Span} node */
  const addFunction = (node) => functions.push(node);
  new Visitor({
    BinaryExpression: swapOperator,
    LogicalExpression: (node) => {
      swapOperator(node);
      if (node.operator === '??' && isForTypes(node.left)) defaults.push(node.right);
    },
    IfStatement: negate,
    ConditionalExpression: negate,
    ExpressionStatement: ({ start, end, expression }) => {
      const call = expression.type === 'AwaitExpression' ? expression.argument : expression;
      if (call.type === 'CallExpression') add(start, end, ';');
    },
    Literal: ({ start, end, value }) => {
      if (typeof value === 'boolean') add(start, end, String(!value));
      if (typeof value === 'number' && text[start - 1] !== '-')
        add(start, end, `(${text.slice(start, end)} + 1)`);
    },
    FunctionDeclaration: addFunction,
    FunctionExpression: addFunction,
    ArrowFunctionExpression: addFunction,
    TSLiteralType: (node) => unnoticed.push(node),
    ThrowStatement: (node) => {
      const { argument } = node;
      if (
        argument.type === 'NewExpression' &&
        text.slice(argument.callee.start, argument.callee.end) === 'Error'
      )
        unnoticed.push(node);
    },
    VariableDeclarator: (node) => {
      if (node.id.type === 'Identifier' && pieces[file]?.includes(node.id.name)) unnoticed.push(node);
    },
  }).visit(parseSync(file, text).program);
  return found
    .filter((mutant) => !within(unnoticed, mutant))
    .map((mutant) => ({ ...mutant, onLoad: !within(functions, mutant), forTypes: within(defaults, mutant) }));
}
