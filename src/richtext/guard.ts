import { Problem } from '../errors/problem.ts';
import { convertDialects } from './dialects.ts';
import { LineScanner } from './line-scanner.ts';
import { estimateCosts, openersOf } from './markdown-cost.ts';

/** The most levels of quotes, lists, tags and marks. */
export const maxDepth = 100;
/** The most columns in front of a list marker; each level of a list takes at least two. */
const maxIndent = 2 * maxDepth;
/** The most characters of a text. */
const maxLength = 1_000_000;
/** The most microseconds that a text or a document may cost. */
export const maxCost = 2_000_000;
/** Microseconds that others may wait for the reading of a text, as `estimateCosts` counts them. A server needs about a third. */
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
    if (!/[\t >*+\-\d[]/.test(text.charAt(lines.start))) continue;
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

/** Whether it takes long to read a text as a document. `checkMarkdown` may refuse it all the same. */
export function isSlowToRead(markdown: string): boolean {
  return sumOf(estimateCosts(withLineFeeds(convertDialects(markdown)), slowCost)) > slowCost;
}

/** The parser ends lines at a CR too. */
function withLineFeeds(markdown: string): string {
  return markdown.replace(/\r\n?/g, '\n');
}

function sumOf(costs: ReadonlyMap<unknown, number>): number {
  return [...costs.values()].reduce((sum, cost) => sum + cost, 0);
}

/** The Problem of a text or a document that is nested too deep. */
export function tooDeep(): Problem {
  return new Problem(
    'invalid-input',
    `The text has quotes, lists, tags or marks more than ${maxDepth} levels deep.`,
    { hint: 'Reduce the nesting.' },
  );
}
