import { plural, truncate } from '../contract/values.ts';
import { isContainer } from '../richtext/dialects.ts';
import { blockElement } from '../richtext/elements.ts';
import { convertJsx } from '../richtext/jsx.ts';
import { LineScanner } from '../richtext/line-scanner.ts';
import { isTagName } from '../richtext/tags.ts';
import { convertHighlights, convertTemplates, shortcodeTag } from '../richtext/templates.ts';
import type { Warning } from './folder.ts';

/** Roles of MyST that stand for links. */
const role = /\{(?:[a-z]+:)?(?:any|cite\w*|class|doc|download|eq|func|meth|mod|numref|ref|term)\}`[^`]*`/;
/** Directives of MyST that docsctl shows as code. */
const directive =
  /^[`~]{3,}\{(?:auto\w+|card|deprecated|eval-rst|figure|glossary|grid|image|(?:literal)?include|\w+-table|tab-set|version\w+)\}.*/;
/** Syntax of other tools that docsctl does not support, by its name in warnings. */
const constructs = Object.entries({
  'a template tag':
    /\{\{(?:[<%#][^}]*|\s*(?:book|page|site)\.[\w.-]+\s*)\}\}|\{%-?\s*(?<tag>[a-z][\w-]*)[^%]*%\}/,
  'MDX code': /^<(?<element>[A-Z][a-z][\w.]*)(?=[\s/>])[^>]*>?/,
  'a block of another tool': /^(?::{3,}\s*\{?|\/{3,} (?!tab\b)(?=[\w-]+ *(?:\||$)))(?<block>[a-z][\w-]*).*/,
  'a directive': directive,
  'a role': role,
});
/** Maximum length of a searched line, in characters. */
const maxLine = 2000;

/** Whether sites know a tag. They also show the old descriptions of operations in `{% swagger %}`. */
function isShownTag(name: string): boolean {
  return isTagName(name) || /^(?:end)?swagger-/.test(name);
}

/** Whether the text of a page may contain one of the constructs. This is much faster than searching its lines. */
function mayHaveOther(body: string): boolean {
  if (body.includes('}`') && role.test(body)) return true;
  if (/[`~]\{\w|\{\{(?:[<%#]|\s*(?:book|page|site)\.)|:::|\/{3} |^[ \t]*<[A-Z]/m.test(body)) return true;
  return [...body.matchAll(/\{%-?\s*([a-z][\w-]*)/g)].some(([, tag = '']) => !isShownTag(tag));
}

/** Finds syntax of other tools in pages, and warns once about each construct. */
export class OtherSyntax {
  readonly #found = new Map<
    string,
    { readonly file: string; line: number; example: string; pages: number }
  >();

  /** Searches a page outside of code and comments. `above` is the number of lines before its text. */
  search(file: string, given: string, above: number): void {
    if (!mayHaveOther(given)) return;
    const body = convertHighlights(convertJsx(given, true));
    const here = new Set<string>();
    for (const lines = new LineScanner(body); lines.next();) {
      const isText = lines.kind === 'text';
      if (!(isText || lines.kind === 'fence') || lines.end - lines.content > maxLine) continue;
      const line = body.slice(lines.content, lines.end);
      if (!/[{:<]|^\/{3,} /.test(line)) continue;
      const text = isText ? convertTemplates(line.replace(/(`+)[^`].*?\1/g, '')) : line;
      const [, shown = ''] = /<\/?(\w+)/.exec((isText && shortcodeTag(text)) || '') ?? [];
      if (isContainer(shown.toLowerCase()) || blockElement.test(shown)) continue;
      for (const [what, pattern] of constructs) {
        if ((lines.kind === 'fence') !== (pattern === directive)) continue;
        const { 0: example = '', groups } = pattern.exec(pattern === role ? line : text) ?? {};
        if (example === '' || here.has(what)) continue;
        const { tag = '', block = '', element = '' } = groups ?? {};
        if (isShownTag(tag) || isContainer(block || element.toLowerCase()) || blockElement.test(element))
          continue;
        here.add(what);
        const first = this.#found.get(what);
        if (first !== undefined) first.pages++;
        else
          this.#found.set(what, {
            file,
            line: above + lines.number,
            example: element === '' ? truncate(example, 60) : `<${element}>`,
            pages: 1,
          });
      }
    }
  }

  get warnings(): Warning[] {
    return [...this.#found].map(([what, { file, line, example, pages }]) => ({
      file,
      line,
      rule: 'other-syntax',
      message: `has ${example}, ${what} that docsctl does not read; replace it with Markdown${
        pages === 1 ? '' : `. The same applies to ${plural(pages - 1, 'more page')}`
      }`,
    }));
  }
}
