import { displayWidth, truncate } from '../../output/width.ts';
import { escapeControls } from '../../output/escape-controls.ts';
import type { ItemAudience } from '../../../conditions/audience.ts';
import type { Theme } from '../../output/style.ts';

/** What is drawn: the columns by the places of their visitors, and the rows. */
export interface Picture {
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly at: number }[];
  readonly rows: readonly ItemAudience[];
  /** Cells of a line; what is longer is cut. */
  readonly width: number;
}

interface Line {
  readonly marks: string;
  readonly tree: string;
  readonly text: string;
  readonly note: string;
}

const gap = '  ';

/** A picture of who sees what: a flag for each visitor, and under each flag a mark for everything there is. */
export function drawAudience({ title, columns, rows, width }: Picture, paint: Theme): string {
  const mark = ({ broken, seenBy, partlyBy }: ItemAudience, at: number) =>
    broken !== undefined
      ? paint.error('✗')
      : seenBy[at] !== true
        ? paint.faint('·')
        : partlyBy[at] === true
          ? paint.hint('◐')
          : paint.hint('●');
  const lines: Line[] = [];
  const walk = (items: readonly ItemAudience[], indent: string): void =>
    items.forEach((audience, index) => {
      const isLast = index === items.length - 1;
      const { item, broken } = audience;
      const shown = audience.children.flatMap(withConditions);
      const pages = item.object === 'site-space' ? countPages(audience) : 0;
      lines.push({
        marks: columns.map(({ at }) => mark(audience, at)).join(gap),
        tree: indent === '' ? '' : indent.slice(3) + (isLast ? '└─ ' : '├─ '),
        text: escapeControls(item.object === 'page' ? `/${item.path ?? item.title}` : item.title),
        note: [
          ...(pages === 0 ? [] : [pages === 1 ? '1 page' : `${pages} pages`]),
          ...(item.condition === undefined
            ? []
            : [`if ${escapeControls(item.condition.replace(/\s+/g, ' '))}`]),
          ...(broken === undefined ? [] : [`✗ ${escapeControls(broken)}`]),
        ].join(' · '),
      });
      walk(shown, indent + (indent === '' ? '   ' : isLast ? '   ' : '│  '));
    });
  walk(rows, '');
  const left = columns.length * (1 + gap.length);
  const body = lines.map(({ marks, tree, text, note }) => {
    const label = truncate(text, Math.max(8, width - left - displayWidth(tree)));
    const room = width - left - displayWidth(tree) - displayWidth(label) - gap.length;
    return `${marks}${gap}${paint.faint(tree)}${label}${note === '' || room < 8 ? '' : gap + paint.faint(truncate(note, room))}`;
  });
  return [
    paint.title(escapeControls(title)),
    '',
    ...flags(columns, width, paint),
    ...body,
    '',
    legend(rows, paint),
    '',
  ].join('\n');
}

/** The names of the visitors as flags on poles, each over its column. */
function flags(columns: Picture['columns'], width: number, paint: Theme): string[] {
  return columns.map(({ name }, index) => {
    const poles = `│${gap}`.repeat(index);
    return paint.faint(poles) + truncate(escapeControls(name), Math.max(8, width - displayWidth(poles)));
  });
}

/** A page without a condition is not drawn, but those under it that have one are. */
function withConditions(item: ItemAudience): ItemAudience[] {
  return item.item.object !== 'page' || item.item.condition !== undefined
    ? [item]
    : item.children.flatMap(withConditions);
}

function countPages(item: ItemAudience): number {
  return item.children.reduce((sum, child) => sum + 1 + countPages(child), 0);
}

function legend(rows: readonly ItemAudience[], paint: Theme): string {
  const has = (test: (item: ItemAudience) => boolean): boolean => {
    const look = (item: ItemAudience): boolean => test(item) || item.children.some(look);
    return rows.some(look);
  };
  return paint.faint(
    [
      '● sees it',
      ...(has(({ partlyBy }) => partlyBy.includes(true)) ? ['◐ sees it without some of its pages'] : []),
      '· does not',
      ...(has(({ broken }) => broken !== undefined) ? ['✗ its condition is broken: nobody does'] : []),
    ].join('   '),
  );
}
