import jmespath from 'jmespath';
import { isObject } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { describeQueryMistake, describeUnfit } from './query-mistakes.ts';

/** Maximum length of an expression. It is far from exhausting the stack of the package's recursion. */
const maxLength = 1024;
/** Maximum number of values and characters of a result, because an expression can repeat its input. */
const maxResult = 100_000_000;
const endsEarly = 'it ends too early';
const example = `Example: --query "items[?visibility=='public'].title".`;

/** Compiles a JMESPath expression. @throws Problem(invalid-input) with the position of an error */
export function createQuery(expression: string): (value: unknown) => unknown {
  if (expression.length > maxLength)
    throw new Problem('invalid-input', `--query is longer than ${maxLength} characters.`);
  const mistake = errorIn(expression);
  if (mistake !== undefined) {
    const at = errorPosition(expression);
    const { what, hasPlace, next } = describeQueryMistake(mistake, expression, at);
    const before = expression.slice(Math.max(0, at - 30), at);
    const here = before.trim() === '' ? '' : `${before} ⟵ The error is here. `;
    throw new Problem(
      'invalid-input',
      `--query is not a JMESPath expression: ${what}${hasPlace ? '' : ` at position ${at + 1}`}.`,
      {
        hint: `${here}${next ?? example} The language is described at https://jmespath.org.`,
      },
    );
  }
  refusePrototypes(expression);
  refuseReferences(jmespath.compile(expression));
  return (value) => {
    try {
      const result = jmespath.search(value, expression);
      checkSize(result);
      return result;
    } catch (error) {
      const { what, next } = describeUnfit(reasonOf(error));
      throw new Problem('invalid-input', `--query cannot be applied to this result: ${what}.`, {
        hint: next ?? 'Look at the result with -o json first.',
        cause: error,
      });
    }
  };
}

/** Refuses properties that all objects of JavaScript have, because the package would treat them as fields or functions. */
function refusePrototypes(expression: string): void {
  for (const { type, value } of jmespath.tokenize(expression))
    if (type.endsWith('Identifier') && typeof value === 'string' && value in Object.prototype)
      throw new Problem('invalid-input', `--query cannot use the name "${value}".`, {
        hint: 'No result has a field with this name, and there is no function with it.',
      });
}

/** Refuses `&title` except as an argument of a function. Otherwise the package would print its own syntax tree. */
function refuseReferences(node: unknown, isArgument = false): void {
  if (!isObject(node) || !('type' in node)) return;
  if (node.type === 'ExpressionReference' && !isArgument)
    throw new Problem('invalid-input', '--query has an "&" outside of a function.', {
      hint: 'Write it only before an argument: sort_by(items, &title).',
    });
  const { children = [], value } = node as {
    children?: readonly unknown[];
    value?: unknown;
  };
  for (const child of children) refuseReferences(child, node.type === 'Function');
  // The value of a literal is data.
  if (node.type === 'KeyValuePair') refuseReferences(value);
}

/** @throws RangeError for a result that is too large */
function checkSize(result: unknown): void {
  // A result may contain the same list many times.
  const sizes = new Map<object, number>();
  const sizeOf = (value: unknown): number => {
    if (typeof value === 'string') return value.length;
    if (!isObject(value)) return 1;
    let size = sizes.get(value);
    if (size === undefined) {
      size = Object.values(value).reduce<number>((sum, inner) => sum + sizeOf(inner), 1);
      sizes.set(value, size);
    }
    return size;
  };
  if (sizeOf(result) > maxResult) throw new RangeError('the result is too large');
}

function errorIn(expression: string): string | undefined {
  try {
    jmespath.compile(expression);
    // The package accepts a dot without a name after it, and fails when it applies the expression.
    const tokens = jmespath.tokenize(expression);
    const dot = tokens.findIndex(
      ({ type }, at) => type === 'Dot' && !/Identifier|Star|Lb/.test(tokens[at + 1]?.type ?? ''),
    );
    return dot === -1 ? undefined : dot === tokens.length - 1 ? endsEarly : 'something is missing';
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('EOF')) return endsEarly;
  // Flattening long lists overflows the stack of the package.
  if (message.startsWith('Maximum call stack')) return 'the result is too large';
  // For some mistakes, the package throws a TypeError.
  if (message.startsWith('Cannot read')) return 'something is missing';
  if (message === 'TypeError') return 'the values that it compares are neither all texts nor all numbers';
  return message
    .replace('at least1', 'at least 1')
    .replace(/^(?:TypeError|ArgumentError): /, '')
    .replace(/\.$/, '');
}

/**
 * Returns the position of the first token after which more text cannot fix the expression, found by bisection, because the
 * package does not report it.
 */
function errorPosition(expression: string): number {
  const starts = tokenStarts(expression);
  const isWrong = (tokens: number) => {
    const mistake = errorIn(expression.slice(0, starts[tokens] ?? expression.length));
    return mistake !== undefined && mistake !== endsEarly;
  };
  let good = 0;
  let bad = starts.length + 1;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (middle <= starts.length && !isWrong(middle)) good = middle;
    else bad = middle;
  }
  return starts[good] ?? expression.length;
}

function tokenStarts(expression: string): number[] {
  for (let end = expression.length; end > 0; end--) {
    try {
      const starts = jmespath.tokenize(expression.slice(0, end)).map((token) => token.start);
      return end === expression.length ? starts : [...starts, end];
    } catch {
      // This character starts no token, so use the text before it.
    }
  }
  return [0];
}
