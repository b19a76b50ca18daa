import { LineScanner } from '../richtext/line-scanner.ts';

const tags = /\{%-?\s*(if|endif)\b[^%]*(?:%\}|$)/gi;
const codeSpan = /(?<!`)(`{1,9})(?!`)[^\n]{0,1000}?(?<!`)\1(?!`)/g;

/** Matches an expression in Markdown or HTML. */
export const expressionSource = String.raw`<code\s+class\s?=\s?["']?expression["']?\s?>([^<]{0,4096})<\/code>`;

/** Whether a Markdown text may have expressions. */
export function hasExpressions(markdown: string): boolean {
  return /\bclass\s?=\s?["']?expression\b/i.test(markdown);
}

/** Whether a Markdown text may have parts or values that depend on the visitor. */
export function mayBeConditional(markdown: string): boolean {
  return /\{%-?\s*if\b/i.test(markdown) || (hasExpressions(markdown) && markdown.includes('visitor'));
}

/**
 * Removes the parts of a Markdown text whose condition could not be evaluated: its syntax is wrong, it takes too long, its tag is
 * not alone on a line, or its end is missing (then everything after it is removed). They may be for other visitors only, so they
 * are hidden. Code does not change. With `hidden`, each hidden line becomes this line.
 */
export function hideUndecided(markdown: string, hidden?: string): string {
  if (!/\{%-?\s*(?:if|endif)\b/i.test(markdown)) return markdown;
  const kept: string[] = [];
  let depth = 0;
  for (const scanner = new LineScanner(markdown); scanner.next();) {
    const line = markdown.slice(scanner.start, scanner.end);
    if (scanner.isFenced) {
      if (depth === 0) kept.push(line);
      else if (hidden !== undefined) kept.push(hidden);
      continue;
    }
    // Tags in code spans are text. The replacement has the same length.
    const plain = line.replace(codeSpan, (code) => '`'.repeat(code.length));
    let shown = '';
    let at = 0;
    let hasTag = false;
    for (const { 0: tag, 1: word = '', index } of plain.matchAll(tags)) {
      hasTag = true;
      if (depth === 0) shown += line.slice(at, index);
      depth = Math.max(0, depth + (word.toLowerCase() === 'if' ? 1 : -1));
      at = index + tag.length;
    }
    if (depth === 0) shown += line.slice(at);
    if (hasTag ? shown.trim() !== '' : depth === 0) kept.push(shown);
    else if (hidden !== undefined) kept.push(hidden);
  }
  return kept.join(markdown.includes('\r\n') ? '\r\n' : '\n');
}
