import type { PageBody } from '../resources/content/schemas.ts';
import { readComputed } from '../content/read-computed.ts';
import { defined, flattenPages } from '../contract/values.ts';
import { readPageText } from '../richtext/front-matter.ts';
import { isMarkdown, type ContentsNode } from './contents.ts';
import type { ExportPaths } from './assign-paths.ts';
import { pageTitle } from './page-reader.ts';
import { readContents } from './read-folder.ts';
import type { FolderSettings } from './settings.ts';
import { writeSummary, type SummaryNode } from './write-summary.ts';
import { type SpaceContent } from './space-content.ts';

interface ExportSummary {
  /** The text of the table of contents; undefined if the space was imported without one and still needs none. */
  readonly summary: string | undefined;
  /** The titles in the stored table of contents, by path. */
  readonly listedTitles: ReadonlyMap<string, string>;
  /** Ids of hidden pages that are not listed. */
  readonly unlisted: ReadonlySet<string>;
}

/** Returns the text of a file in the folder that an export replaces; undefined if there is no such file. */
export type ReadReplaced = (path: string) => string | undefined;

/**
 * Keeps the stored table of contents if it gives exactly the page tree of the space, and otherwise writes a new one. An entry of
 * a missing file is kept, unless the replaced folder still has the file, because then the page was deleted. A folder without a
 * table of contents gets no such entry.
 */
export function planSummary(
  content: SpaceContent,
  settings: FolderSettings,
  paths: ExportPaths,
  readReplaced?: ReadReplaced,
): ExportSummary {
  const documents = new Map(
    flattenPages(content.pages).flatMap((page) => {
      const path = paths.pages.get(page.id);
      return path === undefined ? [] : [[path, page] as const];
    }),
  );
  const isWholeFolder = [...documents.values()].every((page) => page.git !== undefined);
  const frontMatterAt = (path: string) => documents.get(path)?.frontMatter ?? '';
  const read = (text: string | undefined, isThere: (path: string) => boolean) =>
    text !== undefined || isWholeFolder
      ? readContents(text, settings, [...documents.keys()].sort(), isThere, frontMatterAt)
      : { nodes: [], warnings: [] };
  let stored = content.texts.find(({ role }) => role === 'summary')?.text;
  let contents = read(stored, (path) => documents.has(path));
  if (readReplaced !== undefined && contents.warnings.some(({ rule }) => rule === 'missing-page')) {
    // An earlier export may have removed the entries of deleted pages from the folder.
    const replaced = readReplaced(settings.summary);
    const isThere = (path: string): boolean =>
      replaced === undefined ? isMarkdown(path) : readReplaced(path) !== undefined;
    stored = replaced ?? stored;
    contents = read(stored, (path) => documents.has(path) || isThere(path));
  }
  const { nodes } = contents;
  const listed = new Map(
    [...eachNode(nodes)].flatMap(({ type, path, title }) =>
      type === 'document' ? [[path, title] as const] : [],
    ),
  );
  const isUnlisted = (page: PageBody) =>
    page.type === 'document' &&
    page.hidden === true &&
    page.git !== undefined &&
    (page.pages ?? []).length === 0 &&
    !listed.has(paths.pages.get(page.id) ?? '');
  const pages = content.pages.filter((page) => !isUnlisted(page));
  const titleAt = (path: string) => {
    const { frontMatter = '', markdown = '' } = documents.get(path) ?? {};
    return pageTitle(path, readPageText(frontMatter).metadata, markdown);
  };
  const slugs = new Set(
    nodes.flatMap(({ type, slug }) => (type === 'group' && slug !== undefined ? [slug] : [])),
  );
  const tree = pages.map((page) => {
    const node = pageTree(page, paths);
    const { slug = '' } = page;
    return node.type === 'group' && slugs.has(slug) ? { ...node, slug } : node;
  });
  const storedTree = nodes.map((node) => nodeTree(node, titleAt));
  return {
    summary: isSameTree(storedTree, tree) ? stored : writeSummary(tree, settings),
    listedTitles: stored === undefined ? new Map() : listed,
    unlisted: new Set(content.pages.filter(isUnlisted).map(({ id }) => id)),
  };
}

function pageTree(page: PageBody, paths: ExportPaths): SummaryNode {
  const { type, title, linkTitle, computed, href = '', pages = [] } = page;
  const isGenerated = computed !== undefined;
  return {
    type: type === 'computed' ? 'link' : type,
    title: isGenerated ? '' : title,
    ...(type === 'group' || isGenerated ? {} : defined({ linkTitle })),
    ...defined({ computed: readComputed(computed) }),
    path: paths.pages.get(page.id) ?? '',
    href: type === 'link' ? href : '',
    children: pages.map((child) => pageTree(child, paths)),
  };
}

function nodeTree(
  { type, title, linkTitle, computed, path, href, children }: ContentsNode,
  titleAt: (path: string) => string,
): SummaryNode {
  return {
    type,
    title: computed !== undefined ? '' : title || (type === 'document' ? titleAt(path) : ''),
    ...defined({ linkTitle, computed }),
    path,
    href,
    children: children.map((child) => nodeTree(child, titleAt)),
  };
}

function isSameTree(one: readonly SummaryNode[], other: readonly SummaryNode[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ type, title, linkTitle, computed, path, href, children }, index) => {
      const node = other[index];
      return (
        type === node?.type &&
        title === node.title &&
        linkTitle === node.linkTitle &&
        JSON.stringify(computed) === JSON.stringify(node.computed) &&
        path === node.path &&
        href === node.href &&
        isSameTree(children, node.children)
      );
    })
  );
}

function* eachNode(nodes: readonly ContentsNode[]): Generator<ContentsNode> {
  for (const node of nodes) {
    yield node;
    yield* eachNode(node.children);
  }
}
