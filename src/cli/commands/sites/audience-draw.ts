import type { ItemAudience } from '../../../conditions/audience.ts';
import { plural } from '../../../contract/values.ts';
import { escapeControls } from '../../output/escape-controls.ts';
import type { Theme } from '../../output/style.ts';
import { displayWidth, truncate } from '../../output/width.ts';

interface AudienceTable {
  readonly title: string;
  /** One column for visitors who see the same. `visitor` is the index of one of them. */
  readonly columns: readonly { readonly name: string; readonly visitor: number }[];
  readonly rows: readonly ItemAudience[];
  /** The width of a line in cells. */
  readonly width: number;
}

interface Line {
  readonly marks: string;
  readonly tree: string;
  readonly text: string;
  readonly note: string;
}

const gap = '  ';

/** Draws which visitors see which items: a column per visitor, a row per item. */
export function drawAudience({ title, columns, rows, width }: AudienceTable, theme: Theme): string {
  const mark = ({ broken, seenBy, partlyBy }: ItemAudience, visitor: number): string => {
    if (broken !== undefined) return theme.error('✗');
    if (seenBy[visitor] !== true) return theme.faint('·');
    return theme.hint(partlyBy[visitor] === true ? '◐' : '●');
  };
  const lines: Line[] = [];
  const walk = (audiences: readonly ItemAudience[], indent: string): void => {
    for (const [index, audience] of audiences.entries()) {
      const isLast = index === audiences.length - 1;
      const { item, broken, children } = audience;
      const pages = item.object === 'site-space' ? countPages(audience) : 0;
      const condition = item.condition?.replace(/\s+/g, ' ');
      const notes = [
        ...(pages === 0 ? [] : [plural(pages, 'page')]),
        ...(condition === undefined ? [] : [`if ${escapeControls(condition)}`]),
        ...(broken === undefined ? [] : [`✗ ${escapeControls(broken)}`]),
      ];
      lines.push({
        marks: columns.map(({ visitor }) => mark(audience, visitor)).join(gap),
        tree: indent === '' ? '' : indent.slice(3) + (isLast ? '└─ ' : '├─ '),
        text: escapeControls(item.object === 'page' ? `/${item.path ?? item.title}` : item.title),
        note: notes.join(' · '),
      });
      walk(children.flatMap(withConditions), indent + (indent === '' || isLast ? '   ' : '│  '));
    }
  };
  walk(rows, '');
  const marksWidth = columns.length * (1 + gap.length);
  const body = lines.map(({ marks, tree, text, note }) => {
    const room = width - marksWidth - displayWidth(tree);
    const label = truncate(text, Math.max(8, room));
    const left = room - displayWidth(label) - gap.length;
    const shownNote = note === '' || left < 8 ? '' : gap + theme.faint(truncate(note, left));
    return `${marks}${gap}${theme.faint(tree)}${label}${shownNote}`;
  });
  const head = [theme.title(escapeControls(title)), '', ...drawFlags(columns, width, theme)];
  return [...head, ...body, '', drawLegend(rows, theme), ''].join('\n');
}

function drawFlags(columns: AudienceTable['columns'], width: number, theme: Theme): string[] {
  return columns.map(({ name }, index) => {
    const poles = `│${gap}`.repeat(index);
    return theme.faint(poles) + truncate(escapeControls(name), Math.max(8, width - displayWidth(poles)));
  });
}

/** Returns the audience; for a page without a condition, also the audiences of pages below it that have one. */
function withConditions(audience: ItemAudience): ItemAudience[] {
  const { object, condition } = audience.item;
  return object !== 'page' || condition !== undefined
    ? [audience]
    : audience.children.flatMap(withConditions);
}

function countPages({ children }: ItemAudience): number {
  return children.reduce((sum, child) => sum + (child.item.isPage === true ? 1 : 0) + countPages(child), 0);
}

function drawLegend(rows: readonly ItemAudience[], theme: Theme): string {
  const has = (test: (audience: ItemAudience) => boolean): boolean => {
    const matches = (audience: ItemAudience) => test(audience) || audience.children.some(matches);
    return rows.some(matches);
  };
  const legend = [
    '● sees it',
    ...(has(({ partlyBy }) => partlyBy.includes(true)) ? ['◐ sees some of its pages'] : []),
    '· does not see it',
    ...(has(({ broken }) => broken !== undefined) ? ['✗ invalid condition'] : []),
  ];
  return theme.faint(legend.join('   '));
}
