import { posix } from 'node:path';
import { defined } from '../contract/values.ts';
import { fieldsOf, itemsOf, textOf } from '../richtext/page-settings.ts';
import { isMarkdown, resolveContents } from './contents.ts';
import { inferSummary } from './infer-summary.ts';
import { docusaurusAddress, readPlacement } from './page-placement.ts';
import { titleAhead, type Files } from './read-ahead.ts';
import { isInside, isWebAddress } from './resolve-link.ts';
import { maxLinkTitle } from './summary.ts';
import type { SummaryNode } from './write-summary.ts';

/** The fields with the title of an entry, its page, and the entries below it. */
const titleFields = 'group tab anchor dropdown product item label text title version language'.split(' ');
const pageFields = 'root link slug id href page path'.split(' ');
const listFieldNames =
  'versions languages products dropdowns tabs anchors menu groups pages items children'.split(' ');
/** The fields whose entries are alternatives. Only the default, or else the first one, is read. */
const alternatives = ['versions', 'languages'];
const pageEndings = ['', '.md', '.mdx', '.markdown', '/index.md', '/index.mdx', '/README.md', '/README.mdx'];
/** A page of Mintlify that is generated from an operation of a specification, such as `openapi.json GET /users`. */
const operation = /^(?:\S+\s+)?(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|WEBHOOK)\s/i;
const maxDepth = 40;
const maxEntries = 20_000;

/**
 * Converts the navigation of a site to a table of contents. Mintlify, Docusaurus, VitePress, VuePress and Starlight write it in
 * similar forms: a text is a page, and an object has a title, a page, or entries below it.
 */
export class Navigation {
  readonly #files: Files;
  readonly #root: string;
  /** The specifications and operations from which the tool generates pages. */
  readonly generated = new Set<string>();
  #entries = 0;
  /** Whether all entries stand for the tree of the folders. */
  #isGenerated = true;
  #byAddress: ReadonlyMap<string, string> | undefined;

  /** `root` is the folder of the pages. */
  constructor(files: Files, root: string) {
    this.#files = files;
    this.#root = root;
  }

  /** Returns the nodes of a navigation; none if it only stands for the tree of the folders. */
  read(data: unknown): SummaryNode[] {
    const nodes = this.#nodesOf(data, true, '', 0);
    return this.#isGenerated ? [] : nodes;
  }

  /** Returns the file of a page by its address on a site, without the extension and the numbers in names. */
  find(address: string): string | undefined {
    const path = posix.join(this.#root, '.', address.replace(/[?#].*$/s, '').replace(/\.html$/, ''), '.');
    const found = pageEndings.map((ending) => posix.join(path + ending));
    const isPage = (each: string) => isMarkdown(each) && this.#files.paths.has(each);
    return found.find(isPage) ?? (this.#byAddress ??= this.#listAddresses()).get(path);
  }

  /** Returns the pages by their addresses in Docusaurus: without numbers, and with the `id` in front matter as the name. */
  #listAddresses(): ReadonlyMap<string, string> {
    const addresses = new Map<string, string>();
    for (const path of this.#files.paths) {
      if (isMarkdown(path)) addresses.set(docusaurusAddress(path, this.#files.headOf(path)), path);
    }
    return addresses;
  }

  /** `isTop` says whether the nodes are at the top level, and `base` is the address before relative addresses. */
  #nodesOf(value: unknown, isTop: boolean, base: string, depth: number): SummaryNode[] {
    if (++this.#entries > maxEntries || depth > maxDepth) return [];
    if (typeof value === 'string') return this.#pageNodes(base, value, undefined, []);
    if (Array.isArray(value)) return value.flatMap((each) => this.#nodesOf(each, isTop, base, depth + 1));
    const fields = fieldsOf(value);
    if (fields.get('hidden') === true) return [];
    const [openapi] = [fields.get('openapi')].flat();
    const spec = textOf(openapi) ?? textOf(fieldsOf(openapi).get('source'));
    if (spec !== undefined) this.generated.add(spec);
    const title = firstText(fields, titleFields);
    const page = firstText(fields, pageFields) ?? textOf(fieldsOf(fields.get('link')).get('id'));
    const folder =
      firstText(fields, ['dirName']) ?? textOf(fieldsOf(fields.get('autogenerate')).get('directory'));
    const lists = listFieldNames.map((name) => listOf(fields, name));
    const isTopBelow = isTop && title === undefined && page === undefined;
    if ([title, page, folder, fields.get('type'), lists.flat()[0]].every((each) => each === undefined))
      return [...fields].flatMap(([name, each]) =>
        name.startsWith('/')
          ? this.#nodesOf(each, isTop, name, depth + 1)
          : this.#groupNodes(name, this.#nodesOf(each, false, base, depth + 1), isTop),
      );
    const start = textOf(fields.get('base')) ?? base;
    const children = [
      ...this.#nodesOf(lists, isTopBelow, start, depth + 1),
      ...(folder === undefined ? [] : this.#folderNodes(folder, isTopBelow)),
    ];
    if (page !== undefined) return this.#pageNodes(base, page, title, children);
    return title === undefined ? children : this.#groupNodes(title, children, isTop);
  }

  /** Returns a page or a link. Drafts and unlisted pages are left out, but not the entries below them. */
  #pageNodes(base: string, given: string, label: string | undefined, children: SummaryNode[]): SummaryNode[] {
    this.#isGenerated = false;
    if (operation.test(given)) {
      this.generated.add(given);
      return children;
    }
    if (isWebAddress(given))
      return [{ type: 'link', title: label ?? given, path: '', href: given, children }];
    const address = given.startsWith('/') ? given : base + given;
    const path = this.find(address) ?? `${posix.join(this.#root, '.', address)}.md`;
    const title = titleAhead(path, this.#files);
    const [anchor] = /#.+/.exec(given) ?? [];
    if (anchor !== undefined)
      return [
        {
          type: 'link',
          title: label ?? title,
          path: '',
          href: posix.relative(this.#root, path) + anchor,
          children,
        },
      ];
    const placement = readPlacement(this.#files.headOf(path));
    if (placement.isDraft || placement.isUnlisted) return this.#groupNodes(label ?? title, children, false);
    const shown = label ?? placement.title;
    const linkTitle = shown === title || (shown ?? '').length > maxLinkTitle ? undefined : shown;
    return [{ type: 'document', title, ...defined({ linkTitle }), path, href: '', children }];
  }

  /** Returns a group, or below the top level a page without text; nothing if it is empty. */
  #groupNodes(title: string, children: SummaryNode[], isTop: boolean): SummaryNode[] {
    this.#isGenerated = false;
    return children.length === 0
      ? []
      : [{ type: isTop ? 'group' : 'document', title, path: '', href: '', children }];
  }

  /** Returns the tree of a folder. */
  #folderNodes(folder: string, isTop: boolean): SummaryNode[] {
    const root = posix.join(this.#root, '.', folder, '.');
    if (!isInside(root)) return [];
    const { paths, headOf } = this.#files;
    this.#isGenerated &&= root === posix.join(this.#root, '.');
    const start = root === '.' ? '' : root;
    const { entries } = inferSummary(paths, start, posix.join(start, 'README.md'), headOf);
    const contents = { root: start, summary: posix.join(start, 'SUMMARY.md') };
    const complete = (node: SummaryNode): SummaryNode => ({
      ...node,
      type: node.type === 'group' && !isTop ? 'document' : node.type,
      title: node.title || titleAhead(node.path, this.#files),
      children: node.children.map(complete),
    });
    return resolveContents(entries, contents, (path) => paths.has(path)).nodes.map(complete);
  }
}

function firstText(fields: ReadonlyMap<string, unknown>, names: readonly string[]): string | undefined {
  return names.map((name) => textOf(fields.get(name))).find((text) => text !== undefined);
}

/** Returns the entries of a field. The only one of several tabs, versions or languages needs no title. */
function listOf(fields: ReadonlyMap<string, unknown>, name: string): readonly unknown[] {
  const items = itemsOf(fields.get(name));
  const isChoice = alternatives.includes(name) ? items.length > 0 : name === 'tabs' && items.length === 1;
  if (!isChoice) return items;
  const chosen = fieldsOf(items.find((each) => fieldsOf(each).get('default') === true) ?? items[0]);
  return [Object.fromEntries([...chosen].filter(([field]) => !titleFields.includes(field)))];
}
