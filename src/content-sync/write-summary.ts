import { relativeLink } from './resolve-link.ts';

/** A line of a table of contents that is to be written. */
export interface SummaryNode {
  readonly type: 'document' | 'group' | 'link';
  readonly title: string;
  /** File of a document, below the folder. */
  readonly path: string;
  /** Address of a link. */
  readonly href: string;
  /** Part of the path of a group that its title does not give. */
  readonly slug?: string;
  readonly children: readonly SummaryNode[];
}

/** A table of contents in the usual form, such that reading it gives the same tree. */
export function writeSummary(nodes: readonly SummaryNode[], summary: string): string {
  const lines = ['# Table of contents', ''];
  const addItem = ({ type, title, path, href, children }: SummaryNode, depth: number): void => {
    const target = type === 'link' ? linkTarget(href) : relativeLink(summary, path);
    lines.push(`${'  '.repeat(depth)}* [${escapeTitle(title)}](${target})`);
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
    // Only a rule leads out of a group.
    if (isInGroup) lines.push(...(lines.at(-1) === '' ? [] : ['']), '---', '');
    isInGroup = false;
    addItem(node, 0);
  }
  return `${lines.join('\n').trimEnd()}\n`;
}

/** A title on one line, its marks escaped; a group of which begins with "#" too. */
function escapeTitle(title: string): string {
  return title.replace(/\s+/g, ' ').replace(/[\\[\]*`_<>#]|&(?=#?\w{1,8};)/g, '\\$&');
}

function linkTarget(href: string): string {
  const escaped = href.replace(/[\s\\<>]/g, (character) =>
    character === '\\' ? '\\\\' : encodeURIComponent(character),
  );
  return /[()]/.test(escaped) ? `<${escaped}>` : escaped;
}
