import { Problem } from '../../errors/problem.ts';
import { escapeControls } from './escape-controls.ts';
import { cellText } from './cell.ts';
import { type OutputOptions, type Writer } from './format.ts';
import { valueAt } from '../../contract/paths.ts';
import { isRecord } from '../../contract/values.ts';

/** Where an item keeps what it is called by, in the order they are looked for. */
const places = [
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
];

/** The id of each item and nothing else, one a line: what other commands read from `-`. */
export function idWriter({ idField }: OutputOptions): Writer {
  const lines = (items: readonly unknown[]) => items.map((item) => `${idOf(item, idField)}\n`).join('');
  return {
    value: (value) => (value === undefined ? '' : lines(Array.isArray(value) ? value : [value])),
    page: (listing) => lines(listing.items),
    end: () => '',
  };
}

function idOf(item: unknown, idField: string | undefined): string {
  if (!isRecord(item)) return cellText(item);
  for (const place of idField === undefined ? places : [idField, ...places]) {
    const id = valueAt(item, place);
    if (typeof id === 'string' || typeof id === 'number') return escapeControls(String(id));
  }
  throw new Problem('usage', 'The result has no id to print.', {
    hint: 'Use -o json, or --query to pick a field.',
  });
}
