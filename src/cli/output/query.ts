import jmespath from 'jmespath';
import { Problem } from '../../errors/problem.ts';

/** Long enough for any real one, and far from what would exhaust the stack of the package's recursion. */
const longest = 1024;
const endsEarly = 'it ends too early';

/** A JMESPath expression made ready; what is wrong with it is said before any command runs. */
export function createQuery(expression: string): (value: unknown) => unknown {
  if (expression.length > longest)
    throw new Problem('usage', `--query is longer than ${longest} characters.`);
  const flaw = flawOf(expression);
  if (flaw !== undefined) {
    const at = flawPosition(expression);
    throw new Problem('usage', `--query is not a JMESPath expression: ${flaw} at position ${at + 1}.`, {
      hint: `${expression.slice(Math.max(0, at - 30), at)} ⟵ here. For example --query "items[?visibility=='public'].title"; the language: https://jmespath.org.`,
    });
  }
  return (value) => {
    try {
      return jmespath.search(value, expression);
    } catch (error) {
      throw new Problem('usage', `--query cannot be applied to this result: ${reasonOf(error)}.`, {
        hint: 'Look at the result with -o json first.',
        cause: error,
      });
    }
  };
}

function flawOf(expression: string): string | undefined {
  try {
    jmespath.compile(expression);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('EOF')) return endsEarly;
  // The package trips over some mistakes with an error of its own.
  if (message.startsWith('Cannot read')) return 'something is missing';
  return message.replace(/^(?:TypeError|ArgumentError): /, '').replace(/\.$/, '');
}

/** The package does not say where: it is the first token after which more text cannot help, found by halving. */
function flawPosition(expression: string): number {
  const starts = tokenStarts(expression);
  const isLost = (tokens: number) => {
    const flaw = flawOf(expression.slice(0, starts[tokens] ?? expression.length));
    return flaw !== undefined && flaw !== endsEarly;
  };
  let good = 0;
  let lost = starts.length + 1;
  while (lost - good > 1) {
    const middle = (good + lost) >> 1;
    if (middle <= starts.length && !isLost(middle)) good = middle;
    else lost = middle;
  }
  return starts[good] ?? expression.length;
}

function tokenStarts(expression: string): number[] {
  for (let end = expression.length; end > 0; end--) {
    try {
      const starts = jmespath.tokenize(expression.slice(0, end)).map((token) => token.start);
      return end === expression.length ? starts : [...starts, end];
    } catch {
      // A character that begins no token: look at the text before it.
    }
  }
  return [0];
}
