import { posix } from 'node:path';
import { rebaseLinks } from '../richtext/rebase-links.ts';
import { readBlob } from './blobs.ts';
import { readSpaceVariables } from './folder-text.ts';
import { readContent } from './revisions.ts';
import type { PageEntry, TextEntry } from './rows.ts';
import { revisionOf, type ContentSource } from './content-source.ts';

/** What to evaluate in a page. */
export interface Evaluation {
  /** Put the text of includes (reusable contents) where pages include them. */
  readonly dereference: boolean;
  /** Put the values of the space's variables where pages show them. */
  readonly evaluate: boolean;
}

/** Maximum depth of includes. Deeper ones are not replaced. */
const maxDepth = 8;
const includePattern = /^([ \t]*)\{% *include +"([^"\n]{1,1024})" *%\}[ \t]*$/gm;
const variablePattern = /<code class="expression">\s*space\.vars\.([\w-]{1,256})\s*<\/code>/g;
/** The most characters of a text with its includes, and the most includes. */
const maxLength = 4_000_000;
const maxIncludes = 1000;

/** Replaces the includes and variables in the text of a page, as `Evaluation` says. */
export async function evaluateText(
  content: ContentSource,
  page: PageEntry,
  text: string,
  { dereference, evaluate }: Evaluation,
): Promise<string> {
  const includes = dereference && text.includes('{%');
  if (!includes && !(evaluate && text.includes('space.vars.'))) return text;
  const texts = (await readContent(content.tx, revisionOf(content))).filter((entry) => entry.kind === 'text');
  const whole = includes ? await new Includes(content, texts).into(page.git?.path ?? '', text, 0) : text;
  if (!evaluate) return whole;
  const variables = new Map(Object.entries(await readSpaceVariables(content.tx, texts)));
  return whole.replace(variablePattern, (written, name: string) => String(variables.get(name) ?? written));
}

/** Replaces the includes of one text; reads each of them once. */
class Includes {
  readonly #content: ContentSource;
  readonly #entries: ReadonlyMap<string, TextEntry>;
  readonly #texts = new Map<string, string>();
  #left = maxIncludes;

  constructor(content: ContentSource, entries: readonly TextEntry[]) {
    this.#content = content;
    this.#entries = new Map(entries.map((entry) => [entry.git.path, entry]));
  }

  async into(from: string, text: string, depth: number): Promise<string> {
    if (depth >= maxDepth) return text;
    let result = '';
    let end = 0;
    for (const match of text.matchAll(includePattern)) {
      const [whole, indent = '', target = ''] = match;
      const path = posix.normalize(posix.join(posix.dirname(from), target));
      result += text.slice(end, match.index);
      end = match.index + whole.length;
      const found = this.#left > 0 ? await this.#read(path) : undefined;
      if (found === undefined) {
        result += whole;
        continue;
      }
      this.#left--;
      const inner = rebaseLinks(
        await this.into(path, found, depth + 1),
        path,
        from === '' ? undefined : from,
      );
      if (result.length + inner.length > maxLength) return result + text.slice(match.index);
      result += indent + inner.trim().replaceAll('\n', `\n${indent}`);
    }
    return result + text.slice(end);
  }

  async #read(path: string): Promise<string | undefined> {
    const entry = this.#entries.get(path);
    if (entry === undefined) return undefined;
    const known = this.#texts.get(path) ?? withoutFrontMatter(await readBlob(this.#content.tx, entry.blob));
    this.#texts.set(path, known);
    return known;
  }
}

function withoutFrontMatter(text: string): string {
  return text.replace(/^\uFEFF?---[ \t]*\r?\n(?:[^\n]*\n){0,200}?---[ \t]*(?:\r?\n|$)/, '');
}
