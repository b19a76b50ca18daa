import { decodeHtml, tokenizeHtml, type OpenTag } from '../richtext/html.ts';

export interface PageFault {
  readonly rule:
    | 'broken-link'
    | 'duplicate-id'
    | 'empty-link'
    | 'image-without-text'
    | 'frame-without-title'
    | 'missing-label'
    | 'missing-language'
    | 'missing-operation'
    | 'missing-reference'
    | 'missing-title'
    | 'skipped-heading'
    | 'table-without-headers';
  readonly detail: string;
  /** Whether it is in the content of the page, not in the frame that all pages have. */
  readonly isContent: boolean;
}

/** The facts about a page that a check of a site needs. */
export interface PageFacts {
  readonly faults: readonly PageFault[];
  readonly ids: ReadonlySet<string>;
  /** Addresses of links, with whether they are in the content. */
  readonly links: readonly { readonly href: string; readonly isContent: boolean }[];
}

/** An open element, with the text in it that screen readers read. */
interface OpenElement extends OpenTag {
  text: string;
  hasHeaders: boolean;
}

/** The attributes that refer to elements by their IDs. */
const references = ['aria-labelledby', 'aria-describedby', 'aria-controls', 'for'];
/** Elements that the renderer writes without an end tag. */
const empties = /^(?:path|rect|circle|line|polygon|use)$/;

/** Extracts the facts for a check from the HTML of a page. */
export function readPageFacts(html: string): PageFacts {
  return new FactReader().read(html);
}

class FactReader {
  readonly #faults: PageFault[] = [];
  readonly #ids = new Set<string>();
  readonly #links: { href: string; isContent: boolean }[] = [];
  readonly #references: { name: string; id: string; isContent: boolean }[] = [];
  readonly #labels = new Set<string>();
  readonly #fields: { id: string; name: string; isContent: boolean }[] = [];
  readonly #open: OpenElement[] = [];
  #level = 1;

  read(html: string): PageFacts {
    for (const token of tokenizeHtml(html)) {
      if (token.kind === 'open') this.#enter(token);
      else if (token.kind === 'close') this.#leave(token.name);
      else if (token.kind === 'text') this.#addText(decodeHtml(token.raw));
    }
    for (const { name, id, isContent } of this.#references)
      if (!this.#ids.has(id))
        this.#add('missing-reference', `${name} names the ID "${id}", which no element has`, isContent);
    for (const { id, name, isContent } of this.#fields)
      if (!this.#labels.has(id)) this.#add('missing-label', `the field "${name}" has no label`, isContent);
    return { faults: this.#faults, ids: this.#ids, links: this.#links };
  }

  get #isContent(): boolean {
    return this.#open.some(({ attributes }) => /\bcontent\b/.test(attributes['class'] ?? ''));
  }

  #add(rule: PageFault['rule'], detail: string, isContent = this.#isContent): void {
    this.#faults.push({ rule, detail, isContent });
  }

  #enter(tag: OpenTag): void {
    const { name, attributes } = tag;
    const { id, href, alt, title } = attributes;
    const label = attributes['aria-label'] ?? title ?? '';
    const isContent = this.#isContent;
    if (id !== undefined) {
      if (this.#ids.has(id)) this.#add('duplicate-id', `two elements have the ID "${id}"`);
      this.#ids.add(id);
    }
    for (const reference of references)
      for (const each of (attributes[reference] ?? '').split(/\s+/).filter((word) => word !== '')) {
        if (reference === 'for') this.#labels.add(each);
        this.#references.push({ name: reference, id: each, isContent });
      }
    if (name === 'html' && (attributes['lang'] ?? '') === '')
      this.#add('missing-language', 'the page names no language');
    if (name === 'a' && href !== undefined) this.#links.push({ href, isContent });
    if (name === 'iframe' && label === '')
      this.#add('frame-without-title', `the frame of ${attributes['src'] ?? ''} has no title`);
    if (name === 'img') {
      if (isContent && (alt ?? '').trim() === '')
        this.#add('image-without-text', `the image ${lastPart(attributes['src'] ?? '')} has no text`);
      this.#addText(alt ?? '');
    }
    if (
      /^(?:input|select|textarea)$/.test(name) &&
      attributes['type'] !== 'hidden' &&
      label === '' &&
      attributes['aria-labelledby'] === undefined
    )
      this.#fields.push({ id: id ?? '', name: attributes['name'] ?? id ?? name, isContent });
    if (name === 'th') {
      const table = this.#open.findLast((element) => element.name === 'table');
      if (table !== undefined) table.hasHeaders = true;
    }
    const [, depth] = /^h([1-6])$/.exec(name) ?? [];
    if (depth !== undefined && this.#isIn('article'))
      this.#checkLevel(Number(/\bh([2-6])\b/.exec(attributes['class'] ?? '')?.[1] ?? depth));
    if (!tag.isVoid && !empties.test(name)) this.#open.push({ ...tag, text: '', hasHeaders: false });
  }

  #checkLevel(level: number): void {
    if (level > this.#level + 1)
      this.#add('skipped-heading', `a heading of level ${level} follows one of level ${this.#level}`);
    this.#level = level;
  }

  #isIn(name: string): boolean {
    return this.#open.some((element) => element.name === name);
  }

  #addText(text: string): void {
    const element = this.#open.at(-1);
    if (element !== undefined) element.text += text;
  }

  /** Closes the innermost element with a name, and unclosed elements inside it. */
  #leave(name: string): void {
    if (!this.#isIn(name)) return;
    for (let element = this.#open.pop(); element !== undefined; element = this.#open.pop()) {
      this.#end(element);
      if (element.name === name) return;
    }
  }

  #end({ name, attributes, text, hasHeaders }: OpenElement): void {
    const own = attributes['aria-label'] ?? text;
    if (attributes['aria-hidden'] !== 'true') this.#addText(own);
    const shown = own.replace(/\s+/g, ' ').trim();
    const isLabeled =
      shown !== '' || attributes['title'] !== undefined || attributes['aria-labelledby'] !== undefined;
    if ((name === 'button' || (name === 'a' && attributes['href'] !== undefined)) && !isLabeled)
      this.#add('empty-link', `the ${name === 'a' ? `link to ${attributes['href']}` : 'button'} has no text`);
    if (name === 'h1' && shown === '') this.#add('missing-title', 'the page has no title');
    if (name === 'table' && !hasHeaders && attributes['role'] !== 'presentation')
      this.#add('table-without-headers', 'a table has no header cells');
    const block = this.#open.at(-1);
    // The first paragraph of the block names the operation.
    if (/\boperation-missing\b/.test(block?.attributes['class'] ?? '') && block?.text === own)
      this.#add('missing-operation', `no specification has the operation "${shown.slice(0, 80)}"`);
    const address = attributes['data-address'];
    if (/\bbroken-(?:link|image)\b/.test(attributes['class'] ?? ''))
      this.#add(
        'broken-link',
        `"${shown.slice(0, 80)}" leads to nothing on the site${address === undefined ? '' : `: ${address}`}`,
      );
  }
}

function lastPart(path: string): string {
  const name = path.replace(/[?#].*$/s, '');
  return name.slice(name.lastIndexOf('/') + 1, 120);
}
