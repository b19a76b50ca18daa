import { valueAt } from '../../contract/paths.ts';
import { isRecord } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { cellText } from './cell.ts';
import { lineWriter } from './document.ts';
import { escapeControls } from './escape-controls.ts';
import type { OutputOptions, Writer } from './format.ts';

/** The fields that identify an item, in the order they are tried. */
const idFields = [
  'id',
  'issue.id',
  'conversation.id',
  'cluster.id',
  'team.id',
  'space.id',
  'site.id',
  'collection.id',
  'organization.id',
  'member.id',
  'user.id',
  'userId',
  'slug',
  'name',
  'path',
  'users',
  'revision',
  'hostname',
  'domain',
  'subdomain',
];

/**
 * Creates a writer of only the ID of each item, one per line, which other commands read with `-`. Items of a list without an ID
 * are left out, if others have one.
 * @throws Problem(usage) immediately if there can be no ID, before anything is changed
 */
export function idWriter({ idField, fields: known = [], query }: OutputOptions): Writer {
  const fields = idField === undefined ? idFields : [idField, ...idFields];
  if (query === undefined && known.length > 0 && !fields.some((field) => known.includes(field))) throw noId();
  const idOf = (item: unknown): string | undefined => {
    if (!isRecord(item)) return cellText(item);
    for (const field of fields) {
      const id = valueAt(item, field);
      const ids = (Array.isArray(id) ? id.map((one) => valueAt(one, 'id') ?? one) : [id]).filter(isId);
      if (ids.length > 0) return ids.map((one) => escapeControls(String(one))).join('\n');
    }
    return undefined;
  };
  const writer = lineWriter((item) => {
    const id = idOf(item);
    if (id === undefined) throw noId();
    return id;
  });
  return {
    ...writer,
    // In rows about actions, the failed ones have no ID.
    page: (listing) =>
      writer.page(
        listing.items.some((item) => idOf(item) !== undefined)
          ? { ...listing, items: listing.items.filter((item) => idOf(item) !== undefined) }
          : listing,
      ),
  };
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

/** Refuses `-o id` for a command whose result is a count. @throws Problem(usage) */
export function refuseIds({ format, flags }: { format: string; flags: { query?: string } }): void {
  if (format === 'id' && flags.query === undefined) throw noId();
}

function noId(): Problem {
  return new Problem('usage', 'The result has no id to print.', {
    hint: 'Use -o json, or --query to pick a field.',
  });
}
