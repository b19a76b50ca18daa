import { isProblem } from '../errors/problem.ts';
import { checkMarkdown } from '../richtext/guard.ts';

/** Shorter pages are not checked, so that imports stay fast. */
const minLength = 50_000;

/** Returns why sites show the Markdown of a long page as text; undefined if they format it. */
export function findComplexity(body: string): string | undefined {
  if (body.length < minLength) return undefined;
  try {
    checkMarkdown(body);
    return undefined;
  } catch (error) {
    if (!isProblem(error, 'too-large', 'invalid-input')) throw error;
    const reason = error.message.replace(/^The text | for a rich document|\.$/g, '');
    return `${reason}, so sites show its Markdown as text; split it into several pages`;
  }
}
