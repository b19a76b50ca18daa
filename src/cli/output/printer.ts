import { Problem } from '../../errors/problem.ts';
import { escapeControlsByLine } from './escape-controls.ts';
import { isListing, type Format, type Listing, type OutputOptions, type Writer } from './format.ts';

/** Prints what a command has to say on stdout, in the format asked for. */
export interface Printer {
  /** A whole result. False: nobody reads any more. */
  one(value: unknown): Promise<boolean>;
  /** The next page of a list; written at once unless --query or --sort-by need them all. False: stop fetching. */
  page(listing: Listing): Promise<boolean>;
  /** To be called once, when all went well: writes what was held back, and waits until it is out. */
  end(): Promise<void>;
}

const writers: Record<Format, (options: OutputOptions) => Promise<Writer>> = {
  table: async (options) => (await import('./table.ts')).tableWriter(options),
  json: async (options) => (await import('./json.ts')).jsonWriter(options),
  yaml: async (options) => (await import('./yaml.ts')).yamlWriter(options),
  ndjson: async () => (await import('./ndjson.ts')).ndjsonWriter(),
  csv: async (options) => (await import('./csv.ts')).csvWriter(options),
  tsv: async (options) => (await import('./tsv.ts')).tsvWriter(options),
  id: async (options) => (await import('./id.ts')).idWriter(options),
  none: async () => ({ value: () => '', page: () => '', end: () => '' }),
};

/** Makes the printer; everything that is wrong with the options is said here, before a command changes anything. */
export async function createPrinter(format: Format, options: OutputOptions): Promise<Printer> {
  const { stdout, stderr, stdoutIsTTY } = options.terminal;
  if (options.columns) await checkColumns(format, options.columns);
  const query =
    options.query === undefined ? undefined : (await import('./query.ts')).createQuery(options.query);
  const sort =
    options.sortBy === undefined
      ? undefined
      : (await import('./sort.ts')).createSort(options.sortBy, options.fields ?? []);
  const gathers = query !== undefined || sort !== undefined;
  const writer = await writers[format](gathers ? { ...options, all: false } : options);

  let first: Listing | undefined;
  /** How many rows were shown; undefined while the result is no list. */
  let rows: number | undefined;
  const kept: unknown[] = [];
  const put = async (text: string): Promise<boolean> => {
    if (text !== '')
      await stdout.write(stdoutIsTTY && format !== 'table' ? escapeControlsByLine(text) : text);
    return !stdout.closed;
  };
  const result = (value: unknown) => writer.value(query ? query(value) : value);
  const gathered = async (listing: Listing): Promise<string> => {
    const items = sort ? sort(kept) : kept;
    const whole = options.all ? merged(listing, items) : { ...listing, items };
    const value = query ? query(whole) : whole;
    if (isListing(value) || Array.isArray(value)) rows = (isListing(value) ? value.items : value).length;
    return isListing(value) ? writer.page(value) : writer.value(value);
  };
  return {
    one: async (value) => put(await result(value)),
    page: async (listing) => {
      first ??= listing;
      rows = (rows ?? 0) + listing.items.length;
      if (!gathers) return put(await writer.page(listing));
      for (const item of listing.items) kept.push(item);
      return !stdout.closed;
    },
    end: async () => {
      if (gathers && first) await put(await gathered(first));
      await put(await writer.end());
      await stdout.flush();
      if (rows === 0 && format === 'table' && stdoutIsTTY)
        await stderr.write(`No ${options.noun ?? 'items'}.\n`);
    },
  };
}

/** The same body that --all prints as it streams. */
function merged(listing: Listing, items: readonly unknown[]): Listing {
  const { next: _, count: __, items: ___, ...extra } = listing;
  return { ...extra, items, count: items.length };
}

async function checkColumns(format: Format, columns: readonly string[]): Promise<void> {
  if (format === 'json' || format === 'yaml' || format === 'ndjson')
    throw new Problem('usage', `--columns does not go with -o ${format}, which prints every field.`, {
      hint: 'Use --query to pick fields, or -o csv, tsv or table.',
    });
  (await import('./columns.ts')).parseColumns(columns);
}
