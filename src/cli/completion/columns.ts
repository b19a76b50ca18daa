import type { Command } from 'commander';
import { fieldPaths } from '../../contract/paths.ts';
import { helpOf } from '../composite-command.ts';
import { parseColumns } from '../output/columns.ts';
import { columnsOf, fieldsOf } from '../results/table-views.ts';

/** Returns the columns for --columns and --sort-by of a command. Those of its table come first. */
function listColumns(command: Command): string[] {
  const { operation, columns } = helpOf(command);
  if (operation === undefined || columns !== undefined) return [...(columns ?? [])];
  const shown = [...columnsOf(operation.id), ...(operation.cli.columns ?? [])];
  const headings = shown.length === 0 ? [] : parseColumns(shown).map(({ title }) => title);
  const { item, schema } = operation.returns as { item?: object; schema?: object };
  return [...new Set([...headings, ...fieldsOf(operation.id), ...fieldPaths(item ?? schema ?? {})])];
}

/** Completes the last name in a list such as `title,id`, or in `-title`. Names that are already in the list are left out. */
export function suggestColumns(command: Command, typed: string): string[] {
  const [, before = ''] = /^(.*,|[-+])?[^,]*$/s.exec(typed) ?? [];
  const given = new Set(before.split(','));
  return listColumns(command)
    .filter((name) => !given.has(name))
    .map((name) => before + name);
}
