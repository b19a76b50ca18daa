import { Problem } from '../errors/problem.ts';
import { costsOf } from './cost.ts';
import { openersOf } from './openers.ts';

/** Quotes, lists, tags and marks may lie inside each other this deep. */
export const maxDepth = 100;
/** Columns in front of a list marker; each level of a list takes at least two. */
const maxIndent = 2 * maxDepth;
/** The longest text in characters. */
const maxLength = 1_000_000;
/** What a text or a document may cost, in microseconds. */
export const maxCost = 2_000_000;

/** Refuses Markdown that is too long, too deep or too dear to parse, before any parser sees it. */
export function checkMarkdown(text: string): void {
  if (text.length > maxLength)
    throw new Problem('too-large', `A text of more than ${maxLength} characters cannot be made a document.`, {
      hint: 'Read it as Markdown, or split it into several pages.',
    });
  for (const line of text.split(/[\r\n]/)) {
    if (!/[\t >*+\-\d[]/.test(line[0] ?? '')) continue;
    const { quotes, items, gap } = openersOf(line, maxDepth);
    if (quotes + items > maxDepth || gap > maxIndent) throw tooDeep();
  }
  const costs = costsOf(text, maxCost);
  if ([...costs.values()].reduce((sum, cost) => sum + cost, 0) <= maxCost) return;
  const [cause] = [...costs].reduce((most, each) => (each[1] > most[1] ? each : most));
  throw new Problem(
    'too-large',
    `It would take too long to make a document of the text, above all for ${cause}.`,
    {
      hint: 'Read it as Markdown, or split it into several pages.',
    },
  );
}

/** The Problem of a text or a document that is nested too deep. */
export function tooDeep(): Problem {
  return new Problem(
    'invalid-input',
    `The text has quotes, lists, tags or marks more than ${maxDepth} levels deep.`,
    { hint: 'Make it flatter.' },
  );
}
