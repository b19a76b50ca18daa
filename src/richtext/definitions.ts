import { LineScanner } from './line-scanner.ts';

/** The content of a line that cannot be a term: it is part of another block, or ends with a line break. */
const notTerm =
  /^(?:[#>|<{:]|[*+-][ \t]|\d+[.)][ \t]|```|~~~|=== |!!! |\/\/\/|\[[^\]]+\]:|(?:[*_-][ \t]*){3,}$)|\\$/;

const mayHaveDefinitions = /\n[ \t]*:[ \t]+\S/;

/**
 * Converts lists of definitions of Pandoc, MkDocs and Hugo: lines of one term, and `: Definition` below it. Terms become bold, and
 * definitions become list items.
 */
export function convertDefinitions(text: string): string {
  if (!mayHaveDefinitions.test(text)) return text;
  const out: string[] = [];
  const lines = new LineScanner(text);
  /** The indentation of the last definition, while lines may belong to it. */
  let open: string | undefined;
  /** The index of the last line with text in the output; -1 if it cannot be a term. */
  let last = -1;
  while (lines.next()) {
    const line = text.slice(lines.start, lines.end);
    const marks = text.slice(lines.start, lines.content);
    const content = text.slice(lines.content, lines.end);
    const isPlain = lines.kind === 'text' && marks.trim() === '';
    const [, definition] = (isPlain && /^:[ \t]+(\S.*)$/.exec(content)) || [];
    const isBelowTerm = open === marks || (last !== -1 && out.length - last <= 2);
    if (definition !== undefined && isBelowTerm) {
      if (open !== marks || last !== -1) {
        const term = (out[last] ?? '').trim();
        if (last !== -1 && !term.includes('**')) out[last] = `${marks}**${term}**`;
        out.push('');
      }
      out.push(`${marks}* ${definition}`);
      [open, last] = [marks, -1];
      continue;
    }
    if (content.trim() === '') {
      out.push(line);
      continue;
    }
    const isAfterBlank = (out.at(-1) ?? '').trim() === '';
    const isBelow = open !== undefined && line.startsWith(`${open}  `);
    if (!isBelow && isAfterBlank) open = undefined;
    last = isPlain && isAfterBlank && !isBelow && !notTerm.test(content) ? out.length : -1;
    out.push(line);
  }
  const converted = out.join('\n');
  return converted === text.trimEnd() ? text : converted;
}
