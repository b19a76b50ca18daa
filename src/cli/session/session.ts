import { choiceHint } from '../../contract/nearest.ts';
import type { Api } from '../../contract/api.ts';
import type { RawInput } from '../../contract/check.ts';
import type { Exchange } from '../../contract/exchange.ts';
import type { Operation } from '../../contract/operation.ts';
import { Problem } from '../../errors/problem.ts';
import { observeChanges, type Change } from './changes.ts';
import { tidyAfterChanges } from '../tidy-store.ts';
import { escapeControls, escapeControlsByLine } from '../output/escape-controls.ts';
import { withPlace } from '../output/place-in-commands.ts';
import { wrapMessage } from '../output/wrap-message.ts';
import { formats, type Format } from '../output/format.ts';
import type { Printer } from '../output/printer.ts';
import { defined } from '../../contract/values.ts';
import {
  withValues,
  type ConnectOptions,
  type Runtime,
  type Setting,
  type Settings,
  type Sink,
  type Terminal,
} from '../runtime.ts';
import { createPagedSink } from '../output/pager.ts';
import { withListHints } from '../names/not-found.ts';
import { redactSecrets } from './secret-texts.ts';
import { keepServerAnswers } from './server-answers.ts';
import { withTypedNames } from '../names/typed-words.ts';
import { watchCalls } from './watch-calls.ts';
import { clearProgress, hideProgress } from '../output/progress.ts';
import { MissingStore } from '../../stores/missing-store.ts';
import { withoutPassword } from '../../stores/url.ts';
import { resolveSettings, type GlobalFlags } from '../settings/settings.ts';

/** A run of a command: its settings, its Api, and its output. */
export interface Session {
  readonly runtime: Runtime;
  readonly terminal: Terminal;
  readonly flags: GlobalFlags;
  readonly settings: Settings;
  readonly format: Format;
  /** Whether results are drawn for a person: on a terminal, and with --color always. */
  readonly isInteractive: boolean;
  /** Whether results are colored: on a terminal, and in pipes with --color always or FORCE_COLOR. */
  readonly isColored: boolean;
  /** Connects to the Api of other settings, with the flags of this command. The caller closes it. */
  readonly connect: (settings: Settings) => Promise<Api>;
  /** Connects to the Api in the settings at the first use. It is closed when the command ends. */
  readonly api: () => Promise<Api>;
  /** Calls an operation of the Api. The call ends when the command is interrupted. */
  readonly call: Api['call'];
  /** Checks an input like a call, without sending it. @throws Problem(invalid-input) */
  readonly check: (operation: Operation, input: RawInput) => Promise<void>;
  /** Checks the output flags and creates a printer for a result. */
  readonly printer: (defaults?: PrinterDefaults) => Promise<Printer>;
  readonly print: (value: unknown, defaults?: PrinterDefaults) => Promise<void>;
  readonly printAll: (items: readonly unknown[], defaults?: PrinterDefaults) => Promise<void>;
  /** Standard output, through a pager if it is longer than the screen. It must be flushed. */
  readonly paged: Sink;
  /** Writes a line to stderr: a note, a warning, a verdict. Not with --quiet. */
  readonly note: (message: string) => void;
  /** The names that the user typed, by the IDs of the resources. Hints repeat these names. */
  readonly typedWords: Map<string, string>;
  /** Writes an error about one of several resources to stderr, even with --quiet. */
  readonly noteError: (message: string) => void;
  /** Returns the Problem for the newest answer of a server that does not match its schema; undefined if all match. */
  readonly findMalformedAnswer: (cause?: unknown) => Promise<Problem | undefined>;
  readonly close: () => Promise<void>;
}

export interface PrinterDefaults {
  readonly columns?: readonly string[];
  /** More columns whose headings --columns and --sort-by accept, such as columns only for terminals. */
  readonly knownColumns?: readonly string[];
  /** The items of a list, in the plural. */
  readonly noun?: string;
  /** A sentence for an empty list, instead of "No spaces." */
  readonly emptyNote?: () => Promise<string>;
  /** All fields of an item, to check --columns and --sort-by before anything is changed. */
  readonly fields?: readonly string[];
  /** Whether pages are merged into one document. */
  readonly all?: boolean;
  /** The number of items of a sorted list to print. */
  readonly top?: number;
  /** The field for `-o id`, if it is not the usual one. */
  readonly idField?: string;
}

interface SessionOptions {
  /** The output formats that an error names. */
  readonly offered?: readonly string[] | undefined;
  readonly onExchange?: ((exchange: Exchange) => void) | undefined;
  /** Receives each request that may have changed something, with the store or server. */
  readonly onChange?: (change: Change, place: string) => void;
  /** Whether the named profile may be missing, because the command may create it. */
  readonly mayLackProfile?: boolean;
}

/** Creates the session of a command. */
export function createSession(
  runtime: Runtime,
  flags: GlobalFlags,
  { offered = formats, onExchange, onChange, mayLackProfile }: SessionOptions = {},
): Session {
  const settings = resolveSettings(runtime, flags, mayLackProfile);
  const format = readFormat(settings.output, offered);
  const color = colorOf(flags.color, runtime);
  const terminal = terminalOf(runtime, flags, color);
  const typedWords = new Map<string, string>();
  const noteTo =
    (sink: Sink) =>
    (given: string): void => {
      const message = withPlace(runtime, withTypedNames(given, typedWords));
      clearProgress(sink);
      // A warning is one line. Further lines of other notes are indented, so that no name looks like a line of docsctl.
      const text = message.startsWith('warning: ')
        ? escapeControls(message)
        : escapeControlsByLine(message).replace(/\n(?! )/g, '\n  ');
      void sink.write(`${terminal.stderrIsTTY ? wrapMessage(text, terminal.columns) : text}\n`);
    };
  const note = noteTo(terminal.stderr);
  let isPaging = false;
  const paged = createPagedSink({
    runtime,
    isWanted: flags.pager !== false,
    note,
    onOpen: (isOpen) => {
      isPaging = isOpen;
      hideProgress(terminal.stderr, isOpen);
    },
  });
  const isInteractive = terminal.stdoutIsTTY || flags.color === 'always';
  const isColored = terminal.stdoutIsTTY ? terminal.color : color === 'always';
  const output = withValues(terminal, { stdout: paged, stdoutIsTTY: isInteractive });
  const answers = keepServerAnswers();
  let connected: Promise<Api> | undefined;
  const connect: Session['connect'] = async (target) => {
    const [{ connectApi }, options] = await Promise.all([runtime.wiring(), connectOptions(flags)]);
    const api = tidyAfterChanges(
      await connectApi(runtime, target, note, { ...options, onExchange }),
      runtime.signal,
    );
    const watched = watchCalls(withListHints(answers.keep(api)), {
      terminal,
      clock: runtime.clock,
      isHidden: () => isPaging,
      reword: (problem) => withAsInHint(settings, problem),
    });
    return onChange === undefined
      ? watched
      : observeChanges(watched, (change) => onChange(change, api.place));
  };
  const api = () => (connected ??= connect(settings));
  const printer: Session['printer'] = async ({
    columns: defaultColumns = [],
    knownColumns = [],
    ...rest
  } = {}) => {
    const [{ createPrinter }, { readColumns }] = await Promise.all([
      import('../output/printer.ts'),
      import('../output/columns.ts'),
    ]);
    const { columns, sortBy } = readColumns(flags, [...defaultColumns, ...knownColumns], rest.fields);
    const { headers, query } = flags;
    const options = {
      columns,
      defaultColumns,
      headers: headers !== false,
      isWide: flags.wide,
      now: runtime.clock(),
      isColored,
      sortBy,
      query,
      ...rest,
    };
    return createPrinter(format, { terminal: output, ...options });
  };
  return {
    runtime,
    terminal,
    flags,
    settings,
    format,
    isInteractive,
    isColored,
    paged,
    note,
    typedWords,
    noteError: (message) => noteTo(runtime.terminal.stderr)(redactSecrets(message)),
    connect,
    api,
    call: async (operation, input, options) =>
      (await api()).call(operation, input, { signal: runtime.signal, ...options }),
    check: async (operation, input) => {
      const { checkInput } = await import('../../contract/check.ts');
      checkInput(operation, input);
    },
    printer,
    print: async (value, defaults) => {
      const { one, end } = await printer(defaults);
      await one(value);
      await end();
    },
    printAll: async (items, defaults) => {
      const { page, end } = await printer(defaults);
      await page({ count: items.length, items });
      await end();
    },
    findMalformedAnswer: async (cause) => {
      const kept = answers.all();
      if (kept.length === 0) return undefined;
      const { findMalformedAnswer } = await import('./find-malformed-answer.ts');
      return findMalformedAnswer(kept, cause);
    },
    close: async () => {
      if (paged !== terminal.stdout) await paged.flush();
      await (await connected?.catch(() => undefined))?.close();
    },
  };
}

/** Whether the user can be asked something: there is a terminal, and --no-input is not given. */
export function canAsk({ terminal }: Pick<Session, 'terminal'>): boolean {
  return terminal.stderrIsTTY && terminal.stdinIsTTY;
}

/** Whether the result is requested as a table, which a command may draw in its own way, instead of data. */
export function wantsTable({ format, flags }: Session): boolean {
  return format === 'table' && flags.query === undefined;
}

type TextField<T> = { [Field in keyof T]-?: T[Field] extends string ? Field : never }[keyof T] & string;

/**
 * Prints the effect of a command in data formats; a note describes it for a person. `idField` is the field for `-o id`, which
 * must exist because the command has already had its effect.
 */
export async function printOutcome<T extends object>(
  session: Session,
  outcome: T,
  idField: TextField<T>,
): Promise<void> {
  if (!wantsTable(session)) await session.print(outcome, { idField });
}

/** Prints outcomes with IDs like `printOutcome`: one as an object, and several as a list. */
export async function printOutcomes(
  session: Session,
  outcomes: readonly { readonly id: string }[],
  noun: string,
): Promise<void> {
  const [first, second] = outcomes;
  if (first !== undefined && second === undefined) return printOutcome(session, first, 'id');
  if (!wantsTable(session)) await session.printAll(outcomes, { noun });
}

/** Whether the result is requested as one document: as JSON or YAML, or as the result of --query. */
export function wantsDocument({ format, flags }: Session): boolean {
  return format === 'json' || format === 'yaml' || flags.query !== undefined;
}

/** Whether to print the command's own report: the format is a table, without chosen or sorted columns. */
export function wantsReport(session: Session): boolean {
  return wantsTable(session) && session.flags.columns === undefined && session.flags.sortBy === undefined;
}

/** Returns the error to report: the Problem for a malformed answer that made docsctl fail, or else the error itself. */
export async function explainError(session: Session, error: unknown): Promise<unknown> {
  if (!(error instanceof Problem)) return (await session.findMalformedAnswer(error)) ?? error;
  return withStoreSource(session.settings, withAsInHint(session.settings, error));
}

/** Returns an error about a missing store with the profile, file or variable that names the store. */
function withStoreSource({ store }: Settings, error: Problem): Problem {
  if (store === undefined || store.from === '--store' || !(error instanceof MissingStore)) return error;
  // `store migrate` names its stores itself.
  if (!withoutPassword(store.value).endsWith(error.place)) return error;
  return error.withHint(`The store comes from ${store.from}. ${error.hint}`);
}

/** Returns the error with --as instead of a token in its hint, if --as takes the place of tokens. */
function withAsInHint({ server, as }: Settings, error: Problem): Problem {
  if (server !== undefined || as === undefined || error.hint?.includes('se a token ') !== true) return error;
  const hint = error.hint.replace(/se a token (?:that has it|with (?=a higher role))/, (words) =>
    words.endsWith('it') ? 'se --as with a member who has it' : 'se --as with a member who has ',
  );
  return error.withHint(hint);
}

function readFormat(
  { value: text, from }: Setting = { value: 'table', from: '--output' },
  offered: readonly string[],
): Format {
  const found = formats.find((format) => format === text);
  if (found === undefined)
    throw new Problem('invalid-input', `There is no output format "${text}".`, {
      hint: `${from.startsWith('--') ? '' : `The name comes from ${from}. `}${text === 'wide' ? 'Use --wide.' : choiceHint(formatsOfOthers[text] ?? text, offered)}`,
    });
  return found;
}

/** Names of formats in other tools. */
const formatsOfOthers: Readonly<Record<string, Format>> = { jsonl: 'ndjson', text: 'tsv' };

function terminalOf({ terminal, env }: Runtime, { quiet, input }: GlobalFlags, color: ColorChoice): Terminal {
  return withValues(terminal, {
    color: color === 'auto' ? terminal.color : color === 'always',
    ...(quiet === true && { stderr: { write: () => {}, flush: async () => {}, closed: false } }),
    ...((input === false || isSet(env['DOCSCTL_NO_INPUT'])) && { stdinIsTTY: false }),
  });
}

/** Whether a variable such as DOCSCTL_NO_INPUT is on. */
function isSet(value: string | undefined): boolean {
  return value !== undefined && !['', '0', 'false'].includes(value);
}

async function connectOptions({ timeout, retryMaxWait, allowHttp }: GlobalFlags): Promise<ConnectOptions> {
  if (timeout === undefined && retryMaxWait === undefined) return defined({ allowHttp });
  const { readSeconds } = await import('../input/timeout.ts');
  return defined({
    allowHttp,
    timeout: timeout === undefined ? undefined : readSeconds(timeout, '--timeout', { min: 'positive' }),
    retryMaxWait:
      retryMaxWait === undefined ? undefined : readSeconds(retryMaxWait, '--retry-max-wait', { min: 'zero' }),
  });
}

type ColorChoice = 'auto' | 'always' | 'never';

/** Returns when to use color: --color, otherwise FORCE_COLOR and NO_COLOR. */
function colorOf(flag: string | undefined, { env }: Pick<Runtime, 'env'>): ColorChoice {
  if (flag === 'auto' || flag === 'always' || flag === 'never') return flag;
  if (flag !== undefined)
    throw new Problem('invalid-input', `--color takes auto, always or never, not "${flag}".`);
  return (env['NO_COLOR'] ?? '') !== '' ? 'never' : isSet(env['FORCE_COLOR']) ? 'always' : 'auto';
}
