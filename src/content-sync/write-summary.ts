import type { PageSource } from '../content/computed-source.ts';
import { setYamlFields } from '../richtext/yaml-fields.ts';
import { fromContents } from './contents-links.ts';
import { relativeLink } from './resolve-link.ts';
import type { FolderSettings } from './settings.ts';

/** An entry of a table of contents. */
export interface SummaryNode {
  readonly type: 'document' | 'group' | 'link';
  readonly title: string;
  /** The title in the table of contents, if it is different. */
  readonly linkTitle?: string;
  /** The source of generated pages. Such a node is a link. */
  readonly computed?: PageSource;
  /** The file of a document, relative to the folder; empty if it only groups others. */
  readonly path: string;
  readonly href: string;
  /** The slug, if it differs from the one of the file or title. */
  readonly slug?: string;
  readonly children: readonly SummaryNode[];
}

/** Writes a table of contents that `readSummary` parses to the same tree. */
export function writeSummary(
  nodes: readonly SummaryNode[],
  settings: Pick<FolderSettings, 'root' | 'summary'>,
): string {
  const lines = ['# Table of contents', ''];
  const addItem = (
    { type, title, linkTitle, computed, path, href, children }: SummaryNode,
    depth: number,
  ): void => {
    if (computed !== undefined) {
      const indent = '  '.repeat(depth);
      lines.push(
        `${indent}* \`\`\`yaml`,
        ...writeComputed(computed).map((line) => `${indent}  ${line}`),
        `${indent}  \`\`\``,
      );
      return;
    }
    const isLabel = type === 'document' && path === '';
    const target =
      type === 'link' ? linkTarget(fromContents(href, settings)) : relativeLink(settings.summary, path);
    const link = `[${escapeTitle(title)}](${target}${writeLinkTitle(linkTitle)})`;
    lines.push(`${'  '.repeat(depth)}* ${isLabel ? escapeTitle(title) : link}`);
    for (const child of children) addItem(child, depth + 1);
  };
  let isInGroup = false;
  for (const node of nodes) {
    if (node.type === 'group') {
      if (lines.at(-1) !== '') lines.push('');
      lines.push(
        `## ${escapeTitle(node.title)}${node.slug === undefined ? '' : ` <a href="#${node.slug}" id="${node.slug}"></a>`}`,
        '',
      );
      for (const child of node.children) addItem(child, 0);
      isInGroup = true;
      continue;
    }
    // Only a rule ends a group.
    if (isInGroup) lines.push(...(lines.at(-1) === '' ? [] : ['']), '---', '');
    isInGroup = false;
    addItem(node, 0);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** Writes the source of generated pages as lines of YAML. */
function writeComputed(computed: PageSource): string[] {
  const fields = Object.entries(computed).map(([key, value]) => [[key], value] as const);
  return setYamlFields('', fields).trimEnd().split('\n');
}

function writeLinkTitle(title: string | undefined): string {
  return title === undefined ? '' : ` "${escapeTitle(title).replaceAll('"', '\\"')}"`;
}

/** Escapes a title for one line of Markdown. */
function escapeTitle(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[\\[\]*`_<>#]|&(?=#?\w{1,8};)/g, '\\$&');
}

function linkTarget(href: string): string {
  const escaped = href.replace(/[\s\\<>]/g, (character) =>
    character === '\\' ? '\\\\' : encodeURIComponent(character),
  );
  return /[()]/.test(escaped) ? `<${escaped}>` : escaped;
}
