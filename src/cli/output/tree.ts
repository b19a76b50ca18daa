import { escapeControls } from './escape-controls.ts';
import type { Theme } from './style.ts';

/** A line of a tree, with the lines below it. */
export interface TreeNode {
  readonly label: string;
  /** Drawn fainter beside the label. */
  readonly note?: string | undefined;
  readonly children?: readonly TreeNode[] | undefined;
}

/** Draws a tree with box characters, one node a line. */
export function drawTree(root: TreeNode, theme: Pick<Theme, 'faint'>): string {
  const line = ({ label, note }: TreeNode) =>
    `${escapeControls(label)}${note ? ` ${theme.faint(escapeControls(note))}` : ''}\n`;
  const below = ({ children = [] }: TreeNode, indent: string): string =>
    children
      .map((child, index) => {
        const [branch, rest] = index === children.length - 1 ? ['└─ ', '   '] : ['├─ ', '│  '];
        return theme.faint(indent + branch) + line(child) + below(child, indent + rest);
      })
      .join('');
  return line(root) + below(root, '');
}
