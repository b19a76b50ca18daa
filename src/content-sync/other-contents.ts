import { posix } from 'node:path';
import { defined, truncate } from '../contract/values.ts';
import { fieldsOf, itemsOf, textOf } from '../richtext/page-settings.ts';
import { isMarkdown } from './contents.ts';
import type { Warning } from './folder.ts';
import { findNavigation, type NavigationFile } from './navigation-file.ts';
import { Navigation } from './navigation.ts';
import { isAddress, readAliases, readFields } from './page-placement.ts';
import { titleAhead, type Files } from './read-ahead.ts';
import { isInside, isWebAddress } from './resolve-link.ts';
import { maxLinkTitle } from './summary.ts';
import { maxSettingsBytes, type FolderSettings } from './settings.ts';
import { writeSummary, type SummaryNode } from './write-summary.ts';

/** A table of contents that another tool has. */
interface OtherContents {
  /** The file that contains it. */
  readonly file: string;
  /** The same table of contents as SUMMARY.md. */
  readonly text: string;
  readonly warnings: readonly Warning[];
}

const mkdocsFile = 'mkdocs.yml';
const bookFile = 'book.json';
const mdBookFile = 'book.toml';
const maxDepth = 16;
/** Maximum number of pages in toctrees. */
const maxPages = 20_000;
const maxPatterns = 200;
const maxRedirects = 1000;
/** Maximum length of the redirects. The other settings need the rest of the file. */
const maxRedirectBytes = maxSettingsBytes - 10_000;

/**
 * Returns the settings of other tools as .gitbook.yaml: those of MkDocs and the old GitBook, and the redirects in front matter of
 * Hugo and Jekyll. Returns undefined if the folder has none, or a SUMMARY.md.
 */
export function otherSettings(files: Files): string | undefined {
  if (files.paths.has('SUMMARY.md')) return undefined;
  const navigation = files.paths.has(mkdocsFile) ? undefined : findNavigation(files);
  const given = toolSettings(files, navigation);
  const line = (name: string, indent = ''): string => {
    const value = given.get(name);
    return typeof value === 'string' && isInside(posix.normalize(value))
      ? `${indent}${name}: ${JSON.stringify(value)}\n`
      : '';
  };
  const root = line('root');
  const structure = ['readme', 'summary'].map((name) => line(name, '  ')).join('');
  const redirects = listRedirects(
    files,
    root === '' ? '' : posix.join(String(given.get('root')), '.'),
    toolRedirects(files, navigation),
    /(?:^|\/)(?:sidebars|docusaurus\.config)\./.test(navigation?.file ?? ''),
  );
  return (
    root +
      (structure === '' ? '' : `structure:\n${structure}`) +
      (redirects.length === 0 ? '' : `redirects:\n${redirects.join('')}`) || undefined
  );
}

function toolSettings(
  { paths, textOf: read }: Files,
  navigation: NavigationFile | undefined,
): ReadonlyMap<string, unknown> {
  if (paths.has(mkdocsFile)) {
    const [, root = 'docs'] = /^docs_dir:[ \t]*["']?([^"'#\s]+)/m.exec(read(mkdocsFile)) ?? [];
    return new Map([['root', existingRoot(paths, root)]]);
  }
  if (paths.has(mdBookFile)) {
    const [, root = 'src'] = /^src[ \t]*=[ \t]*["']([^"'\n]+)/m.exec(read(mdBookFile)) ?? [];
    return new Map([['root', existingRoot(paths, root)]]);
  }
  if (navigation !== undefined) return new Map(navigation.root === '.' ? [] : [['root', navigation.root]]);
  const fields = paths.has(bookFile) ? readFields(read(bookFile)) : new Map<string, unknown>();
  return new Map([['root', existingRoot(paths, fields.get('root'))], ...fieldsOf(fields.get('structure'))]);
}

/** Returns the root if the folder has pages in it. */
function existingRoot(paths: ReadonlySet<string>, root: unknown): unknown {
  const start = typeof root === 'string' ? posix.join(root, '/') : '/';
  return [...paths].some((path) => isMarkdown(path) && path.startsWith(start)) ? root : undefined;
}

/** Returns the redirects to pages as lines of YAML: those in front matter, and given old and new addresses. */
function listRedirects(
  files: Files,
  root: string,
  given: readonly AddressPair[],
  isDocusaurus: boolean,
): string[] {
  const { paths, headOf } = files;
  const redirects = new Map<string, string>();
  let room = maxRedirectBytes;
  const add = (from: string, to: string): void => {
    const line = `  ${JSON.stringify(from)}: ${JSON.stringify(to)}\n`;
    if (!isInside(from) || /^\.\/?$/.test(from) || redirects.size === maxRedirects || redirects.has(from))
      return;
    room -= Buffer.byteLength(line);
    if (room >= 0) redirects.set(from, line);
  };
  for (const path of paths) {
    const below = posix.relative(root, path);
    if (!isMarkdown(path) || below.startsWith('.')) continue;
    for (const from of readAliases(below, headOf(path), isDocusaurus)) add(from, below);
  }
  const pages = given.length === 0 ? undefined : new Navigation(files, root);
  for (const [from, address] of given) {
    const path = pages?.find(address);
    if (path !== undefined && isAddress(from)) add(posix.join('.', from), posix.relative(root, path));
  }
  return [...redirects.values()];
}

type AddressPair = readonly [from: string, to: string];

/** Returns the redirects of MkDocs and Mintlify: old and new addresses. */
function toolRedirects(
  { paths, textOf: read }: Files,
  navigation: NavigationFile | undefined,
): readonly AddressPair[] {
  if (paths.has(mkdocsFile)) {
    const [, , block, flow = block ?? ''] =
      /^([ \t]+)redirect_maps:.*\n((?:\1[ \t]+\S.*\n?|[ \t\r]*\n)+)|\bredirect_maps:\s*(\{[^{}]*\})/m.exec(
        read(mkdocsFile),
      ) ?? [];
    return [...readFields(flow)].map(([from, to]) => [
      from.replace(/(?:(^|\/)index)?\.md$/, '$1'),
      textOf(to) ?? '',
    ]);
  }
  return itemsOf(navigation?.fields.get('redirects'))
    .map(fieldsOf)
    .map((each) => [textOf(each.get('source')) ?? '', textOf(each.get('destination')) ?? '']);
}

/** Returns the table of contents that another tool has; undefined if the folder has none, or none of its pages. */
export async function otherContents(
  files: Files,
  settings: FolderSettings,
): Promise<OtherContents | undefined> {
  const { file, nodes, generated: found = [] } = await readNodes(files, settings.root);
  const hasPage = ({ type, path, children }: SummaryNode): boolean =>
    type === 'link' || files.paths.has(path) || children.some(hasPage);
  /** Groups without pages would become empty pages. */
  const withoutEmpty = (given: readonly SummaryNode[]): readonly SummaryNode[] =>
    given.flatMap((node) => {
      const children = withoutEmpty(node.children);
      return node.type === 'link' || node.path !== '' || children.some(hasPage)
        ? [{ ...node, children }]
        : children;
    });
  const [first, ...others] = found;
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  const message = `shows pages from ${JSON.stringify(truncate(first ?? '', 100))}${more}, which are not imported; publish the specification with \`docsctl openapi publish\`, and show it in its own section of the site`;
  const warnings = first === undefined ? [] : [{ file, line: 0, rule: 'missing-page', message } as const];
  return nodes.some((node) => hasPage(node))
    ? { file, text: writeSummary(withoutEmpty(nodes), settings), warnings }
    : undefined;
}

interface FoundNodes {
  readonly file: string;
  readonly nodes: readonly SummaryNode[];
  /** The specifications and operations from which the tool generates pages. */
  readonly generated?: Iterable<string>;
}

async function readNodes(files: Files, root: string): Promise<FoundNodes> {
  if (files.paths.has(mkdocsFile))
    return { file: mkdocsFile, nodes: navNodes(readNav(files.textOf(mkdocsFile)), files, root) };
  const found = findNavigation(files);
  if (found !== undefined && found.root === posix.join(root, '.')) {
    const navigation = new Navigation(files, root);
    return { file: found.file, nodes: navigation.read(await found.read()), generated: navigation.generated };
  }
  const start = posix.join(root, 'index.md');
  return { file: start, nodes: files.paths.has(start) ? toctreeNodes(start, files, root) : [] };
}

/** Reads `nav` of mkdocs.yml, whose other fields may have tags that are not YAML. */
function readNav(text: string): readonly unknown[] {
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => /^nav:\s*(?:#.*|\[.*)?$/.test(line));
  const end = lines.findIndex((line, at) => at > start && /^[^\s#\]-]/.test(line));
  const nav = start === -1 ? [] : lines.slice(start, end === -1 ? undefined : end);
  return itemsOf(readFields(nav.join('\n')).get('nav'));
}

function navNodes(items: readonly unknown[], files: Files, root: string, depth = 0): SummaryNode[] {
  return items.flatMap((item): SummaryNode[] => {
    const [title, value] = typeof item === 'string' ? ['', item] : ([...fieldsOf(item)][0] ?? []);
    if (typeof value === 'string') return [pageNode(value, title, files, root)];
    if (title === undefined || depth >= maxDepth) return [];
    const [first, ...others] = itemsOf(value);
    const isPage = typeof first === 'string' && /(?:^|\/)(?:index|readme)\.md$/i.test(first);
    const children = navNodes(isPage ? others : itemsOf(value), files, root, depth + 1);
    return [
      isPage ? { ...pageNode(first, title, files, root), children } : groupNode(title, children, depth),
    ];
  });
}

/** Returns the pages that a page lists in its fences with `{toctree}`, and the pages below them. */
function toctreeNodes(start: string, files: Files, root: string): SummaryNode[] {
  const seen = new Set([start]);
  let patterns = 0;
  const below = (path: string, depth: number): SummaryNode[] =>
    readToctrees(files.textOf(path)).flatMap(({ caption, entries }) => {
      const nodes = entries.flatMap((entry): SummaryNode[] => {
        const [, title = '', target = entry] = /^(.*\S)[ \t]*<([^<>]+)>$/.exec(entry) ?? [];
        if (isWebAddress(target)) return [pageNode(target, title, files, root)];
        const full = posix.join(target.startsWith('/') ? root : posix.dirname(path), `./${target}`);
        if (seen.size > maxPages || seen.has(full)) return [];
        if (full.includes('*') && ++patterns > maxPatterns) return [];
        seen.add(full);
        return pagesAt(full, files).flatMap((page) => {
          if (page !== full && seen.has(page)) return [];
          seen.add(page);
          const children = depth < maxDepth ? below(page, depth + 1) : [];
          return [{ ...pageNode(posix.relative(root, page), title, files, root), children }];
        });
      });
      return caption === undefined || depth > 0 || nodes.length === 0
        ? nodes
        : [groupNode(caption, nodes, 0)];
    });
  const children = below(start, 0);
  return children.length === 0 ? [] : [pageNode('index.md', '', files, root), ...children];
}

function readToctrees(text: string): { caption: string | undefined; entries: string[] }[] {
  if (!text.includes('{toctree}')) return [];
  const found: { caption: string | undefined; entries: string[] }[] = [];
  /** The marks of the open fence, and whether it is a toctree. */
  let [open, isList]: [marks?: string, isList?: boolean] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (open === undefined) {
      const [, marks, name] = /^(`{3,}(?!.*`)|~{3,}|:{3,}(?=\{toctree\}))(\{toctree\})?/.exec(line) ?? [];
      [open, isList] = [marks, name !== undefined];
      if (isList) found.push({ caption: undefined, entries: [] });
    } else if (line.startsWith(open) && line === open.charAt(0).repeat(line.length)) open = undefined;
    else if (isList) {
      const last = found.at(-1);
      const [, caption] = /^:caption:[ \t]*(.+)/.exec(line) ?? [];
      if (last !== undefined && caption !== undefined) last.caption = caption;
      if (line !== '' && !line.startsWith(':')) last?.entries.push(line);
    }
  }
  return found;
}

/** Returns the pages that an entry of a toctree means: a page without its extension, or a pattern such as `guide/*`. */
function pagesAt(path: string, { paths }: Files): string[] {
  if (!path.includes('*')) return [path, `${path}.md`].filter((each) => isMarkdown(each) && paths.has(each));
  const [before = '', after = ''] = path.replace(/\.md$/, '').split(/\*+/);
  return [...paths].filter((each) => {
    const name = each.slice(before.length).replace(/\.md$/, '');
    return isMarkdown(each) && each.startsWith(before) && name.endsWith(after) && !name.includes('/');
  });
}

function pageNode(target: string, given: string | undefined, files: Files, root: string): SummaryNode {
  const path = posix.join(root, target);
  if (isWebAddress(target) || !isMarkdown(path) || !isInside(path))
    return { type: 'link', title: given || target, path: '', href: target, children: [] };
  const title = titleAhead(path, files, given);
  const linkTitle = !given || given === title || given.length > maxLinkTitle ? undefined : given;
  return { type: 'document', title, ...defined({ linkTitle }), path, href: '', children: [] };
}

/** Returns a group, or below the top level a page without text. */
function groupNode(title: string, children: SummaryNode[], depth: number): SummaryNode {
  return { type: depth === 0 ? 'group' : 'document', title, path: '', href: '', children };
}
