import { escapeControls } from './escape-controls.ts';
import type { Theme } from './style.ts';
import { displayWidth, wrap } from './width.ts';

/** A line of a tree, with its children. */
export interface TreeNode {
  readonly label: string;
  /** Shown in a fainter color after the label. */
  readonly note?: string | undefined;
  readonly children?: readonly TreeNode[];
}

/** Draws a tree with box characters. A node that is wider than `columns` is wrapped between words. */
export function drawTree(root: TreeNode, theme: Pick<Theme, 'faint'>, columns = Infinity): string {
  const line = ({ label, note, children = [] }: TreeNode, rest: string): string => {
    const [name, more] = [escapeControls(label), note ? escapeControls(note) : ''];
    const room = columns - displayWidth(rest);
    if (room < minRoom || displayWidth(name) + 1 + displayWidth(more) <= room)
      return `${name}${more && ` ${theme.faint(more)}`}\n`;
    const indent = `${rest}${children.length > 0 ? '│ ' : '  '}`;
    const notes = more === '' ? [] : wrap(more, room - 2).map((text) => theme.faint(text));
    return `${[...wrap(name, room - 2), ...notes].join(`\n${theme.faint(indent)}`)}\n`;
  };
  const below = ({ children = [] }: TreeNode, indent: string): string =>
    children
      .map((child, index) => {
        const [branch, rest] = index === children.length - 1 ? ['└─ ', '   '] : ['├─ ', '│  '];
        return theme.faint(indent + branch) + line(child, indent + rest) + below(child, indent + rest);
      })
      .join('');
  return line(root, '') + below(root, '');
}

/** Minimum width at which wrapping is useful. */
const minRoom = 12;
