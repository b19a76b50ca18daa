import type { OutputOf } from '../../../contract/operation.ts';
import type { aggregateSiteEvents } from '../../../resources/site-insights/contract.ts';
import { measures } from '../../../resources/site-insights/declarations.ts';

const isMeasure = (column: string) => (measures as readonly string[]).includes(column);

/** Returns the columns for a request that selects columns: the group, and the selected counts. */
export function chosenCounts(body: unknown): readonly string[] | undefined {
  const { select } = body as { select?: readonly { column: string }[] };
  if (select === undefined) return undefined;
  return ['group', ...select.map(({ column }) => column).filter(isMeasure)];
}

/** Returns the groups of counted events: the values of the columns, and `group` with those that identify the group. */
export function groupRows({ columns }: OutputOf<typeof aggregateSiteEvents>): object[] {
  const names = columns.filter(({ column }) => !isMeasure(column));
  const textAt = (values: readonly unknown[], index: number): string => {
    const value = values[index];
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  return (columns[0]?.values ?? []).map((_, index) => ({
    group: names.length === 0 ? 'all' : names.map(({ values }) => textAt(values, index)).join(' · '),
    ...Object.fromEntries(columns.map(({ column, values }) => [column, values[index]])),
  }));
}
