import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import { formats, type Format } from './output/format.ts';
import type { Printer } from './output/printer.ts';
import { resolveSettings, type GlobalFlags } from './settings.ts';
import type { Runtime, Terminal, Settings } from './runtime.ts';
import { escapeControls } from './output/escape-controls.ts';

/** One run of a command: its settings, the Api it acts on, and where it writes. */
export interface Session {
  readonly runtime: Runtime;
  readonly terminal: Terminal;
  readonly flags: GlobalFlags;
  readonly settings: Settings;
  readonly format: Format;
  /** Whether results are drawn for a person: on a terminal, and wherever color is asked for. */
  readonly isInteractive: boolean;
  /** Opened at the first use, closed when the command ends. */
  readonly api: () => Promise<Api>;
  readonly printer: (defaults?: PrinterDefaults) => Promise<Printer>;
  /** A line on stderr: a note, a warning, a verdict. */
  readonly note: (message: string) => void;
  readonly close: () => Promise<void>;
}

export interface PrinterDefaults {
  readonly columns?: readonly string[];
  /** Columns whose headings are known here as well, such as those that a terminal shows. */
  readonly knownColumns?: readonly string[];
  /** What a list is of, in the plural. */
  readonly noun?: string;
  /** Every field an item can have, to check --columns and --sort-by before anything is changed. */
  readonly fields?: readonly string[];
  /** Pages are merged into one document. */
  readonly all?: boolean;
  /** What `-o id` prints, where it is not the usual field. */
  readonly idField?: string;
}

/** `offered` are the formats that an error names. */
export function createSession(
  runtime: Runtime,
  flags: GlobalFlags,
  offered: readonly string[] = formats,
): Session {
  const settings = resolveSettings(runtime, flags);
  const format = formatOf(settings.output?.value ?? 'table', offered);
  // Not a copy: standard input is opened when it is first looked at.
  const terminal: Terminal = Object.create(runtime.terminal, {
    color: { value: colorOf(flags.color, runtime.terminal.color), enumerable: true },
  }) as Terminal;
  const note = (message: string): void =>
    void terminal.stderr.write(`${message.split('\n').map(escapeControls).join('\n')}\n`);
  const isInteractive = terminal.stdoutIsTTY || flags.color === 'always';
  const paper: Terminal = isInteractive
    ? (Object.create(terminal, { stdoutIsTTY: { value: true } }) as Terminal)
    : terminal;
  let opened: Promise<Api> | undefined;
  return {
    runtime,
    terminal,
    flags,
    settings,
    format,
    isInteractive,
    note,
    api: () => (opened ??= runtime.wiring().then(({ connectApi }) => connectApi(runtime, settings, note))),
    printer: async (defaults = {}) => {
      const [{ createPrinter }, { resolveHeadings }] = await Promise.all([
        import('./output/printer.ts'),
        import('./output/columns.ts'),
      ]);
      const { columns: defaultColumns = [], knownColumns = [], ...more } = defaults;
      const headed = [...defaultColumns, ...knownColumns];
      const named = flags.columns
        ?.split(',')
        .map((column) => column.trim())
        .filter((column) => column !== '');
      const columns = named === undefined ? undefined : resolveHeadings(named, headed);
      const [, sign = '', field] = /^([-+]?)(.*)$/s.exec(flags.sortBy ?? '') ?? [];
      const sortBy =
        flags.sortBy === undefined ? undefined : sign + resolveHeadings([field!], headed)[0]!.split('=')[0]!;
      checkColumns(
        [...(columns ?? []), ...(sortBy === undefined ? [] : [sortBy.replace(/^[-+]/, '')])],
        defaults.fields ?? [],
        headed,
      );
      return createPrinter(format, {
        terminal: paper,
        columns,
        defaultColumns,
        headers: flags.headers !== false,
        sortBy,
        query: flags.query,
        ...more,
      });
    },
    close: async () => {
      const api = await opened?.catch(() => undefined);
      await api?.close();
    },
  };
}

/** Refuses a column that no item can have before anything is asked or changed; deeper paths show when items do. */
function checkColumns(
  columns: readonly string[],
  fields: readonly string[],
  headed: readonly string[],
): void {
  const known = new Set(fields.map((path) => path.split('.')[0]!));
  const unknown = columns.find((column) => known.size > 0 && !known.has(column.split(/[.=]/)[0]!));
  if (unknown === undefined) return;
  const headings = headed
    .map((column) => column.split('=')[1] ?? column)
    .filter((title) => !title.includes('.'));
  throw new Problem('usage', `There is no column "${unknown}".`, {
    hint: `Columns: ${[...new Set([...headings, ...known])].join(', ')}.`,
  });
}

function formatOf(text: string, offered: readonly string[]): Format {
  const found = formats.find((format) => format === text);
  if (found === undefined)
    throw new Problem('usage', `There is no output format "${text}".`, {
      hint: `Choose one of: ${offered.join(', ')}.`,
    });
  return found;
}

function colorOf(flag: string | undefined, automatic: boolean): boolean {
  if (flag === undefined || flag === 'auto') return automatic;
  if (flag === 'always' || flag === 'never') return flag === 'always';
  throw new Problem('usage', `--color takes auto, always or never, not "${flag}".`);
}
