import { escapeControls } from './escape-controls.ts';
import type { Theme } from './style.ts';

/** A line of a tree, and what hangs below it. */
export interface TreeNode {
  readonly label: string;
  /** Something beside the label, drawn fainter. */
  readonly note?: string | undefined;
  readonly children?: readonly TreeNode[] | undefined;
}

/** Draws a tree with box characters, one node a line. */
export function drawTree(root: TreeNode, paint: Pick<Theme, 'faint'>): string {
  const line = ({ label, note }: TreeNode) =>
    `${escapeControls(label)}${note ? ` ${paint.faint(escapeControls(note))}` : ''}\n`;
  const below = (node: TreeNode, indent: string): string => {
    const children = node.children ?? [];
    return children
      .map((child, index) => {
        const last = index === children.length - 1;
        return `${paint.faint(indent + (last ? '└─ ' : '├─ '))}${line(child)}${below(child, indent + (last ? '   ' : '│  '))}`;
      })
      .join('');
  };
  return line(root) + below(root, '');
}
