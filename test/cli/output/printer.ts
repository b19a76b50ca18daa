import type { Format, Listing, OutputOptions } from '../../../src/cli/output/format.ts';
import { createPrinter } from '../../../src/cli/output/printer.ts';
import { fakeTerminal, type FakeTerminal } from './fake-terminal.ts';

export type Settings = Partial<OutputOptions> & { readonly terminal?: FakeTerminal };

function optionsOf(settings: Settings): OutputOptions {
  return { terminal: fakeTerminal(), defaultColumns: ['id', 'title'], headers: true, ...settings };
}

/** Prints the pages of a list, and returns the output. */
export async function printedList(
  format: Format,
  pages: readonly Listing[],
  settings: Settings = {},
): Promise<string> {
  const options = optionsOf(settings);
  const printer = await createPrinter(format, options);
  for (const page of pages) await printer.page(page);
  await printer.end();
  return (options.terminal as FakeTerminal).stdout.text;
}

/** Prints one result, and returns the output. */
export async function printedOne(format: Format, value: unknown, settings: Settings = {}): Promise<string> {
  const options = optionsOf(settings);
  const printer = await createPrinter(format, options);
  await printer.one(value);
  return (options.terminal as FakeTerminal).stdout.text;
}

export const first = {
  object: 'space',
  id: 'spc_1',
  title: 'Guides',
  visibility: 'public',
  comments: 3,
  permissions: { admin: true },
  createdAt: '2024-05-01T12:30:45.000Z',
  parent: null,
};
export const second = {
  object: 'space',
  id: 'spc_2',
  title: '日本語',
  visibility: 'private',
  comments: 12,
  permissions: { admin: false },
  createdAt: '2024-06-01T00:00:00.000Z',
  parent: 'col_1',
};
export const listing: Listing = { next: { page: 'abc' }, count: 7, items: [first, second] };
