import type { Paint } from '../output/paint.ts';
import { displayWidth, truncate } from '../output/width.ts';
import { term } from '../terminal.ts';
import type { Seen } from './sites-audience-things.ts';

/** What is drawn: the columns by the places of their visitors, and the rows. */
export interface Picture {
  readonly title: string;
  readonly columns: readonly { readonly name: string; readonly at: number }[];
  readonly rows: readonly Seen[];
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
export function drawAudience({ title, columns, rows, width }: Picture, paint: Paint): string {
  const mark = ({ broken, by, partly }: Seen, at: number) =>
    broken !== undefined
      ? paint.error('✗')
      : by[at] !== true
        ? paint.faint('·')
        : partly[at] === true
          ? paint.hint('◐')
          : paint.hint('●');
  const lines: Line[] = [];
  const walk = (items: readonly Seen[], indent: string): void =>
    items.forEach((item, index) => {
      const isLast = index === items.length - 1;
      const { thing, broken } = item;
      const shown = item.children.flatMap(withConditions);
      const pages = thing.object === 'site-space' ? countPages(item) : 0;
      lines.push({
        marks: columns.map(({ at }) => mark(item, at)).join(gap),
        tree: indent === '' ? '' : indent.slice(3) + (isLast ? '└─ ' : '├─ '),
        text: term(thing.object === 'page' ? `/${thing.path ?? thing.title}` : thing.title),
        note: [
          ...(pages === 0 ? [] : [pages === 1 ? '1 page' : `${pages} pages`]),
          ...(thing.condition === undefined ? [] : [`if ${term(thing.condition.replace(/\s+/g, ' '))}`]),
          ...(broken === undefined ? [] : [`✗ ${term(broken)}`]),
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
    paint.title(term(title)),
    '',
    ...flags(columns, width, paint),
    ...body,
    '',
    legend(rows, paint),
    '',
  ].join('\n');
}

/** The names of the visitors as flags on poles, each over its column. */
function flags(columns: Picture['columns'], width: number, paint: Paint): string[] {
  return columns.map(({ name }, index) => {
    const poles = `│${gap}`.repeat(index);
    return paint.faint(poles) + truncate(term(name), Math.max(8, width - displayWidth(poles)));
  });
}

/** A page without a condition is not drawn, but those under it that have one are. */
function withConditions(item: Seen): Seen[] {
  return item.thing.object !== 'page' || item.thing.condition !== undefined
    ? [item]
    : item.children.flatMap(withConditions);
}

function countPages(item: Seen): number {
  return item.children.reduce((sum, child) => sum + 1 + countPages(child), 0);
}

function legend(rows: readonly Seen[], paint: Paint): string {
  const has = (test: (item: Seen) => boolean): boolean => {
    const look = (item: Seen): boolean => test(item) || item.children.some(look);
    return rows.some(look);
  };
  return paint.faint(
    [
      '● sees it',
      ...(has(({ partly }) => partly.includes(true)) ? ['◐ sees it without some of its pages'] : []),
      '· does not',
      ...(has(({ broken }) => broken !== undefined) ? ['✗ its condition is broken: nobody does'] : []),
    ].join('   '),
  );
}
