import type { Command } from 'commander';
import { fieldPaths } from '../../contract/paths.ts';
import { helpOf } from '../command-help.ts';
import { parseColumns } from '../output/columns.ts';
import { columnsOf, fieldsOf } from '../results/table-views.ts';

/** Lists the columns that --columns and --sort-by of a command take, those of its table first. */
function listColumns(command: Command): string[] {
  const { operation, columns } = helpOf(command);
  if (operation === undefined || columns !== undefined) return [...(columns ?? [])];
  const shown = [...columnsOf(operation.id), ...(operation.cli.columns ?? [])];
  const headings = shown.length === 0 ? [] : parseColumns(shown).map(({ title }) => title);
  const { item, schema } = operation.returns as { readonly item?: object; readonly schema?: object };
  return [...new Set([...headings, ...fieldsOf(operation.id), ...fieldPaths(item ?? schema ?? {})])];
}

/** Completes the last name of a list such as `title,id`, or of `-title`. Names that stand in the list are left out. */
export function suggestColumns(command: Command, typed: string): string[] {
  const [, before = ''] = /^(.*,|[-+])?[^,]*$/s.exec(typed) ?? [];
  const given = new Set(before.split(','));
  return listColumns(command)
    .filter((name) => !given.has(name))
    .map((name) => before + name);
}
