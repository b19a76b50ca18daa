import { Problem } from '../errors/problem.ts';
import { convertDialects } from './dialects.ts';
import { LineScanner } from './line-scanner.ts';
import { estimateCosts, openersOf } from './markdown-cost.ts';

/** Maximum levels of quotes, lists, tags and marks. */
export const maxDepth = 100;
/** Maximum columns before a list marker. Each level of a list takes at least two. */
const maxIndent = 2 * maxDepth;
/** Maximum length of a text, in characters. */
const maxLength = 1_000_000;
/** Maximum estimated cost of a text or a document, in microseconds. */
export const maxCost = 2_000_000;
/** Estimated cost from which a text counts as slow, in microseconds. A server needs about a third of that time. */
const slowCost = 100_000;

/**
 * Refuses Markdown that is too long, too deep or too expensive to parse, before any parser sees it.
 *
 * @throws Problem(too-large) for its length or cost, Problem(invalid-input) for its depth
 */
export function checkMarkdown(markdown: string): void {
  const hint = 'Use the Markdown format, or split the text into several pages.';
  if (markdown.length > maxLength)
    throw new Problem(
      'too-large',
      `The text has more than ${maxLength} characters, too many for a rich document.`,
      {
        hint,
      },
    );
  const text = withLineFeeds(markdown);
  for (const lines = new LineScanner(text); lines.advance();) {
    const { quotes, items, gap } = openersOf(text.slice(lines.start, lines.end), maxDepth);
    if (quotes + items > maxDepth || gap > maxIndent) throw tooDeep();
  }
  const costs = estimateCosts(text, maxCost);
  if (sumOf(costs) <= maxCost) return;
  const [cause] = [...costs].reduce((max, each) => (each[1] > max[1] ? each : max));
  throw new Problem('too-large', `The text is too complex for a rich document, mainly because of ${cause}.`, {
    hint,
  });
}

/** Whether `checkMarkdown` refuses a text for its length or cost. */
export function isTooLarge(markdown: string): boolean {
  const text = withLineFeeds(convertDialects(markdown));
  return text.length > maxLength || sumOf(estimateCosts(text, maxCost)) > maxCost;
}

/** Whether reading a text as a document takes long. `checkMarkdown` may still refuse it. */
export function isSlowToRead(markdown: string): boolean {
  return sumOf(estimateCosts(withLineFeeds(convertDialects(markdown)), slowCost)) > slowCost;
}

/** Normalizes line ends, because the parser also ends lines at a CR. */
function withLineFeeds(markdown: string): string {
  return markdown.replace(/\r\n?/g, '\n');
}

function sumOf(costs: ReadonlyMap<unknown, number>): number {
  return [...costs.values()].reduce((sum, cost) => sum + cost, 0);
}

/** Returns the Problem for a text or document that is nested too deeply. */
export function tooDeep(): Problem {
  return new Problem(
    'invalid-input',
    `The text has quotes, lists, tags or marks more than ${maxDepth} levels deep.`,
    { hint: 'Reduce the nesting.' },
  );
}
