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
];

/** The id of each item and nothing else, one a line: what other commands read from `-`. */
export function idWriter({ idField }: OutputOptions): Writer {
  const fields = idField === undefined ? idFields : [idField, ...idFields];
  return lineWriter((item) => {
    if (!isRecord(item)) return cellText(item);
    for (const field of fields) {
      const id = valueAt(item, field);
      if (typeof id === 'string' || typeof id === 'number') return escapeControls(String(id));
    }
    throw new Problem('usage', 'The result has no id to print.', {
      hint: 'Use -o json, or --query to pick a field.',
    });
  });
}
