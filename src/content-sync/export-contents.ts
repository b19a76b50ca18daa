import type { PageBody } from '../resources/content/schemas.ts';
import { readPageText } from '../richtext/front-matter.ts';
import type { ContentsNode } from './contents.ts';
import type { ExportPlaces } from './export-places.ts';
import { titleOf } from './page-reader.ts';
import { readContents } from './read-folder.ts';
import type { FolderSettings } from './settings.ts';
import { writeSummary, type SummaryNode } from './write-summary.ts';
import type { SpaceContent } from './space-content.ts';

/** The table of contents of an export. */
export interface ExportContents {
  /** undefined: the folder came without one, and still needs none. */
  readonly summary: string | undefined;
  /** Titles that the stored table of contents gives, by path. */
  readonly listedTitles: ReadonlyMap<string, string>;
  /** Hidden pages that no table of contents names. */
  readonly unlisted: ReadonlySet<string>;
}

/** Keeps the stored table of contents if it gives exactly the tree of the space when it is read again, else makes one. */
export function contentsOfSpace(
  content: SpaceContent,
  settings: FolderSettings,
  places: ExportPlaces,
): ExportContents {
  const stored = content.texts.find(({ role }) => role === 'summary')?.text;
  const documents = new Map(
    [...eachPage(content.pages)].flatMap((page) =>
      page.type === 'document' ? [[places.pages.get(page.id)!, page] as const] : [],
    ),
  );
  const isWholeFolder = [...documents.values()].every((page) => page.git !== undefined);
  const nodes =
    stored !== undefined || isWholeFolder
      ? readContents(stored, settings, [...documents.keys()].sort(), (path) => documents.has(path)).nodes
      : [];
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
    !listed.has(places.pages.get(page.id)!);
  const pages = content.pages.filter((page) => !isUnlisted(page));
  const titleAt = (path: string) => {
    const { frontMatter = '', markdown = '' } = documents.get(path) ?? {};
    return titleOf(path, readPageText(frontMatter).metadata, markdown);
  };
  const slugs = new Set(
    nodes.flatMap(({ type, slug }) => (type === 'group' && slug !== undefined ? [slug] : [])),
  );
  const tree = pages.map((page) => {
    const node = treeOf(page, places);
    return node.type === 'group' && slugs.has(page.slug ?? '') ? { ...node, slug: page.slug! } : node;
  });
  const isSame = isSameTree(
    nodes.map((node) => treeOfNode(node, titleAt)),
    tree,
  );
  return {
    summary: !isSame ? writeSummary(tree, settings.summary) : stored,
    listedTitles: stored === undefined ? new Map() : listed,
    unlisted: new Set(content.pages.filter(isUnlisted).map(({ id }) => id)),
  };
}

function treeOf(page: PageBody, places: ExportPlaces): SummaryNode {
  const { type, title, href = '', pages = [] } = page;
  return {
    type,
    title,
    path: type === 'document' ? places.pages.get(page.id)! : '',
    href: type === 'link' ? href : '',
    children: pages.map((child) => treeOf(child, places)),
  };
}

function treeOfNode(
  { type, title, path, href, children }: ContentsNode,
  titleAt: (path: string) => string,
): SummaryNode {
  return {
    type,
    title: title || (type === 'document' ? titleAt(path) : ''),
    path,
    href,
    children: children.map((child) => treeOfNode(child, titleAt)),
  };
}

function isSameTree(one: readonly SummaryNode[], other: readonly SummaryNode[]): boolean {
  return (
    one.length === other.length &&
    one.every(({ type, title, path, href, children }, index) => {
      const same = other[index]!;
      return (
        type === same.type &&
        title === same.title &&
        path === same.path &&
        href === same.href &&
        isSameTree(children, same.children)
      );
    })
  );
}

function* eachPage(pages: readonly PageBody[]): Generator<PageBody> {
  for (const page of pages) {
    yield page;
    yield* eachPage(page.pages ?? []);
  }
}

function* eachNode(nodes: readonly ContentsNode[]): Generator<ContentsNode> {
  for (const node of nodes) {
    yield node;
    yield* eachNode(node.children);
  }
}
