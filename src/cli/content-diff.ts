import { diffLists } from '../richtext/diff-lines.ts';
import type { PageBody } from '../resources/content/schemas.ts';

/** A page, file or other text as one side of a comparison has it. */
export interface Part {
  readonly kind: 'page' | 'file' | 'text';
  readonly id: string;
  /** Where it lies in a folder. */
  readonly path: string;
  /** The path of a page in its space. */
  readonly place?: string | undefined;
  readonly title: string;
  /** What is shown of it beside its text, by name. */
  readonly fields: Readonly<Record<string, string | undefined>>;
  /** Equal for equal content; undefined where that is not known without reading it. */
  readonly stamp: string | undefined;
  /** Whether it has lines to compare. */
  readonly isText: boolean;
  readonly size?: number;
  /** The page it lies under; null at the top. */
  readonly parent?: { readonly id: string; readonly title: string } | null;
}

/** A part that differs between two contents: only `after` was added, only `before` deleted. */
export interface PartChange {
  readonly before?: Part;
  readonly after?: Part;
  /** Names of fields that differ, with what they were and are. */
  readonly fields: readonly (readonly [name: string, before: string, after: string])[];
  /** Whether what it holds differs, or may. */
  readonly content: boolean;
}

const shownFields = [
  'title',
  'type',
  'slug',
  'description',
  'emoji',
  'icon',
  'hidden',
  'noIndex',
  'noRobotsIndex',
  'condition',
  'href',
] as const;

/** Pages in reading order, as parts. */
export function partsOfPages(pages: readonly PageBody[], parent: PageBody | null = null): Part[] {
  return pages.flatMap((page) => {
    const isText = page.type === 'document';
    const where = page.path ?? page.title;
    const part: Part = {
      kind: 'page',
      id: page.id,
      path: isText ? (page.git?.path ?? `${where}.md`) : where,
      place: page.path,
      title: page.title,
      fields: Object.fromEntries(
        shownFields.map((name) => [name, page[name] === undefined ? undefined : String(page[name])]),
      ),
      stamp:
        page.hash === undefined ? (page.git?.oid ?? page.updatedAt) : `${page.hash} ${page.git?.oid ?? ''}`,
      isText,
      parent,
    };
    return [part, ...partsOfPages(page.pages ?? [], page)];
  });
}

/** What differs between two lists of parts, in the order of `after`, then what is gone. */
export function compareParts(before: readonly Part[], after: readonly Part[]): PartChange[] {
  const old = new Map(before.map((part) => [part.id, part]));
  const now = new Set(after.map(({ id }) => id));
  const moved = movedAmong(before, after);
  const kept = after.flatMap((part): PartChange[] => {
    const was = old.get(part.id);
    if (was === undefined) return [{ after: part, fields: [], content: true }];
    const names = [...new Set([...Object.keys(was.fields), ...Object.keys(part.fields)])];
    const fields = names
      .filter((name) => was.fields[name] !== part.fields[name])
      .map((name) => [name, was.fields[name] ?? '', part.fields[name] ?? ''] as const);
    const all = [...fields, ...moveOf(was, part, moved)];
    const content = was.stamp === undefined || was.stamp !== part.stamp;
    return all.length > 0 || content || was.path !== part.path
      ? [{ before: was, after: part, fields: all, content }]
      : [];
  });
  return [
    ...kept,
    ...before
      .filter(({ id }) => !now.has(id))
      .map((part): PartChange => ({ before: part, fields: [], content: true })),
  ];
}

/** Where a page was and is: under another page, or at another place under the same. */
function moveOf(
  was: Part,
  part: Part,
  moved: ReadonlyMap<string, readonly [string, string]>,
): PartChange['fields'] {
  if (was.parent?.id !== part.parent?.id)
    return [['parent', was.parent?.title ?? '', part.parent?.title ?? '']];
  const places = moved.get(part.id);
  return places === undefined ? [] : [['place', ...places]];
}

/** Pages that changed their place among those with the same parent, with the numbers of both places. */
function movedAmong(
  before: readonly Part[],
  after: readonly Part[],
): Map<string, readonly [before: string, after: string]> {
  const old = byParent(before);
  const moved = new Map<string, readonly [string, string]>();
  for (const [parent, ids] of byParent(after)) {
    const was = old.get(parent) ?? [];
    const [left, right] = [new Set(was), new Set(ids)];
    // What came or went only moves the others on.
    const changes = diffLists(
      was.filter((id) => right.has(id)),
      ids.filter((id) => left.has(id)),
    );
    for (const { type, lines } of changes)
      if (type === 'added')
        for (const id of lines) moved.set(id, [String(was.indexOf(id) + 1), String(ids.indexOf(id) + 1)]);
  }
  return moved;
}

function byParent(parts: readonly Part[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const { parent, id, kind } of parts) {
    if (kind !== 'page') continue;
    const key = parent?.id ?? '';
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key)!.push(id);
  }
  return groups;
}
