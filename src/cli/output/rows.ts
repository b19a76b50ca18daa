import { layoutOf, type Layout } from './columns.ts';
import { type OutputOptions, type Writer } from './format.ts';
import { valueAt } from '../../contract/paths.ts';
import { isRecord } from '../../contract/values.ts';

/** How a format writes a row, and a scalar that stands alone. */
interface RowStyle {
  readonly row: (cells: readonly unknown[]) => string;
  readonly scalar: (value: unknown) => string;
}

/** A format of one line per item under one header: CSV, TSV, a table that is piped. */
export function rowWriter(options: OutputOptions, { row, scalar }: RowStyle): Writer {
  let layout: Layout | undefined;
  const lines = (items: readonly unknown[], final: boolean): string => {
    let text = '';
    if (!layout && (items.length > 0 || final)) {
      layout = layoutOf(items, options);
      if (layout.headers && layout.columns.length > 0)
        text += row(layout.columns.map((column) => column.title));
    }
    const columns = layout?.columns ?? [];
    for (const item of items) text += row(columns.map(({ path }) => valueAt(item, path)));
    return text;
  };
  let listed = false;
  return {
    page: (listing) => {
      listed = true;
      return lines(listing.items, false);
    },
    value: (value) =>
      Array.isArray(value)
        ? lines(value, false)
        : isRecord(value)
          ? lines([value], false)
          : value === undefined
            ? ''
            : scalar(value),
    end: () => (listed ? lines([], true) : ''),
  };
}
