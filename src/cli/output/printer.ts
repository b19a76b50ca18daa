import { Problem } from '../../errors/problem.ts';
import { escapeControlsByLine } from './escape-controls.ts';
import { wrapMessage } from './wrap-message.ts';
import { isListing, type Format, type Listing, type OutputOptions, type Writer } from './format.ts';

/** Prints the result of a command on stdout in the requested format. */
export interface Printer {
  /** Prints a whole result, and waits until it is written. Do not combine it with the other two methods. */
  one(value: unknown): Promise<void>;
  /** Prints the next page of a list, immediately unless --query or --sort-by need all items. Returns false to stop fetching. */
  page(listing: Listing): Promise<boolean>;
  /** Writes buffered output, and waits until everything is written. Call it once, unless something failed. */
  end(): Promise<void>;
}

const writers: Record<Format, (options: OutputOptions) => Promise<Writer>> = {
  table: async (options) => (await import('./table.ts')).tableWriter(options),
  json: async (options) => (await import('./json.ts')).jsonWriter(options),
  yaml: async (options) => (await import('./yaml.ts')).yamlWriter(options),
  ndjson: async () => (await import('./json.ts')).ndjsonWriter(),
  csv: async (options) => (await import('./rows.ts')).csvWriter(options),
  tsv: async (options) => (await import('./rows.ts')).tsvWriter(options),
  id: async (options) => (await import('./id.ts')).idWriter(options),
  none: async () => ({ value: () => '', page: () => '', end: () => '' }),
};

/**
 * Creates the printer of a format. It checks all options, so that mistakes are reported before a command changes anything.
 * @throws Problem(usage)
 */
export async function createPrinter(format: Format, options: OutputOptions): Promise<Printer> {
  const { terminal, columns, sortBy, fields, noun = 'items', emptyNote } = options;
  const { stdout, stderr, stdoutIsTTY } = terminal;
  if (columns) await checkColumns(format, columns);
  const query =
    options.query === undefined ? undefined : (await import('./query.ts')).createQuery(options.query);
  const sort = sortBy === undefined ? undefined : (await import('./sort.ts')).createSort(sortBy, fields);
  const needsAll = query !== undefined || sort !== undefined;
  const writer = await writers[format](needsAll ? { ...options, all: false } : options);

  let first: Listing | undefined;
  /** The number of printed rows; undefined if the result is not a list. */
  let rows: number | undefined;
  const kept: unknown[] = [];
  const write = async (text: string): Promise<boolean> => {
    if (text !== '')
      await stdout.write(stdoutIsTTY && format !== 'table' ? escapeControlsByLine(text) : text);
    return !stdout.closed;
  };
  const writeAll = async (listing: Listing): Promise<string> => {
    const sorted = sort ? sort(kept) : kept;
    const items = options.top === undefined ? sorted : sorted.slice(0, options.top);
    const result = options.all
      ? { ...mergePages(listing, items), count: kept.length }
      : { ...listing, items };
    const value = query ? query(result) : result;
    if (Array.isArray(value)) rows = value.length;
    if (!isListing(value)) return writer.value(value);
    rows = value.items.length;
    return writer.page(value);
  };
  const end = async (): Promise<void> => {
    if (needsAll && first) await write(await writeAll(first));
    await write(await writer.end());
    await stdout.flush();
    if (rows === 0 && format === 'table' && stdoutIsTTY)
      await stderr.write(`${(await emptyNote?.()) ?? `No ${noun}.`}\n`);
    const footnote = terminal.stderrIsTTY ? writer.footnote?.() : undefined;
    if (footnote !== undefined) await stderr.write(`${wrapMessage(footnote, terminal.columns)}\n`);
  };
  return {
    one: async (value) => {
      await write(await writer.value(query ? query(value) : value));
      await end();
    },
    page: async (listing) => {
      first ??= listing;
      rows = (rows ?? 0) + listing.items.length;
      if (!needsAll) return write(await writer.page(listing));
      for (const item of listing.items) kept.push(item);
      return !stdout.closed;
    },
    end,
  };
}

/** Merges pages into the body that --all prints as a stream. */
function mergePages(
  { next: _next, count: _count, items: _items, ...fields }: Listing,
  items: readonly unknown[],
): Listing {
  return { ...fields, items, count: items.length };
}

async function checkColumns(format: Format, columns: readonly string[]): Promise<void> {
  if (format === 'json' || format === 'yaml' || format === 'ndjson')
    throw new Problem('usage', `--columns cannot be used with -o ${format}, which prints every field.`, {
      hint: 'Use --query to pick fields, or -o csv, tsv or table.',
    });
  (await import('./columns.ts')).parseColumns(columns);
}
