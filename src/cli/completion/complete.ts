import type { Command, Option } from 'commander';
import { defined } from '../../contract/values.ts';
import { wordsOf } from '../command-words.ts';
import { helpOf } from '../composite-command.ts';
import { Problem } from '../../errors/problem.ts';
import { optionKey } from '../input/flags.ts';
import { fieldOf } from '../names/name-kinds.ts';
import { listCandidates, resolveName } from '../names/names.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { createProgram, fillStub, findCommand, withNouns } from '../command-tree.ts';
import type { Runtime } from '../runtime.ts';
import { createSession, type Session } from '../session/session.ts';
import { nouns } from '../../resources/index.ts';
import { readSettingsFile } from '../settings/settings.ts';
import { listOwned, listResources, listRuns, listUnowned } from './candidates.ts';

/**
 * Prints the possible words at the cursor for the scripts in completions/, one "word<TAB>description" per line. An empty line stands
 * for the names of files.
 */
export async function complete(runtime: Runtime): Promise<number> {
  const typed = runtime.argv.slice(1);
  // --org=Acme is --org Acme.
  const words = typed.flatMap((word) => /^(--[\w-]+)=(.*)$/s.exec(word)?.slice(1) ?? [word]);
  const before = /^--[\w-]+=/.exec(typed.at(-1) ?? '')?.[0] ?? '';
  try {
    const { found, takesFile } = await suggest(runtime, words);
    const lines = found
      .filter(([word]) => word.startsWith(words.at(-1) ?? ''))
      .map(([word, note]) => `${before}${escapeControls(word)}\t${escapeControls(note)}\n`);
    if (takesFile && lines.length === 0) lines.push('\n');
    for (const line of lines) await runtime.terminal.stdout.write(line);
    return 0;
  } catch (error) {
    // A prompt cannot show an error.
    if (error instanceof Problem) return error.exitCode;
    throw error;
  }
}

type Suggestion = readonly [word: string, note: string];

/** The command for the words, with its positionals and the values of its options. */
interface CommandLine {
  readonly command: Command;
  readonly given: readonly string[];
  readonly options: Readonly<Record<string, string>>;
}

interface TypedLine extends CommandLine {
  /** The typed part of the word at the cursor. */
  readonly typed: string;
}

/** The possible words, and whether the name of a file is possible too. */
interface Suggestions {
  readonly found: readonly Suggestion[];
  readonly takesFile: boolean;
}

async function suggest(runtime: Runtime, words: readonly string[]): Promise<Suggestions> {
  const typed = words.slice(0, -1);
  const line = await readWords(runtime, typed);
  const { command, options } = line;
  const open = optionOf(command, typed.at(-1));
  const current = words.at(-1) ?? '';
  const positionals = command.registeredArguments.filter((one) => options[one.name()] === undefined);
  // The arguments before this word determine where to search.
  const before = Object.fromEntries(
    positionals.slice(0, line.given.length).map((one, index) => [one.name(), line.given[index] ?? '']),
  );
  const known = { ...line, options: { ...before, ...options }, typed: current };
  const only = (found: readonly Suggestion[]): Suggestions => ({ found, takesFile: false });
  if (open?.required === true) {
    const [, value = ''] = /<(.*)>/.exec(open.flags) ?? [];
    const name = nameOf(open);
    if (name !== 'replace' && (isFileName(value) || ['file', 'manifest', 'store'].includes(name)))
      return { found: [], takesFile: true };
    const found = await suggestValues(runtime, open, known);
    return { found, takesFile: wordsOf(command) === 'openapi diff' && fieldIn(known, name) === 'version' };
  }
  if (current.startsWith('-'))
    return only(
      command.options
        .filter(({ hidden }) => !hidden)
        .map(({ long, short, description }) => [long ?? short ?? '', description]),
    );
  if (command.commands.length > 0) {
    const found = command.commands.flatMap((inner) =>
      [inner.name(), ...inner.aliases()].map((name): Suggestion => [name, inner.summary()]),
    );
    return only(line.given.join(' ') === 'help' ? [...found, ...(await listTopics())] : found);
  }
  const argument = positionals[line.given.length] ?? positionals.find(({ variadic }) => variadic);
  if (argument === undefined) return only([]);
  const isSource = argument.name() === 'source' && wordsOf(command) === 'spaces import';
  // The commands of operations take files of spaces, by name.
  if (isSource || (helpOf(command).operation === undefined && isFileName(argument.name())))
    return { found: [], takesFile: true };
  const found = await suggestNames(runtime, fieldIn(known, argument.name()), known);
  return only(argument.variadic ? found.filter(([word]) => !line.given.includes(word)) : found);
}

/** Whether the name of an argument or value is that of a file, a folder or a store. */
function isFileName(name: string): boolean {
  return /^(?:file|folder|upload|plan|repository|destination|store)\b/.test(name);
}

async function readWords(runtime: Runtime, typed: readonly string[]): Promise<CommandLine> {
  let command = createProgram(runtime);
  let open: Option | undefined;
  const given: string[] = [];
  const options: Record<string, string> = {};
  for (const word of withNouns(command, typed)) {
    const option = optionOf(command, word);
    if (open !== undefined) {
      options[nameOf(open)] = word;
      open = undefined;
    } else if (option !== undefined) {
      open = option.required ? option : undefined;
      if (open === undefined) options[nameOf(option)] = '';
    } else {
      const inner =
        command.parent === null
          ? command.commands.find((one) => one.name() === word)
          : findCommand(command, [word]);
      if (inner === undefined || inner === command) given.push(word);
      else {
        if (command.parent === null) await fillStub(inner, runtime, withNouns(command, typed));
        command = inner;
      }
    }
  }
  return { command, given, options };
}

function optionOf(command: Command, word: string | undefined): Option | undefined {
  return word === undefined
    ? undefined
    : command.options.find(({ long, short }) => long === word || short === word);
}

function nameOf({ long = '' }: Option): string {
  return long.slice(2);
}

async function suggestValues(runtime: Runtime, option: Option, line: TypedLine): Promise<Suggestion[]> {
  const { argChoices } = option;
  if (argChoices !== undefined) return argChoices.map((choice) => [choice, '']);
  const name = nameOf(option);
  if (name === 'columns' || name === 'sort-by') {
    const { suggestColumns } = await import('./columns.ts');
    return suggestColumns(line.command, line.typed).map((word) => [word, '']);
  }
  return suggestNames(runtime, fieldIn(line, name), line);
}

/** Returns the path parameter or field for an argument or option of a command. */
function fieldIn({ command, options }: CommandLine, name: string): string {
  const words = wordsOf(command);
  if (words === 'adopt' && name !== 'ref') return fieldOf((options['ref'] ?? '').replace(/\..*$/s, ''));
  if (words === 'openapi diff' && (name === 'from' || name === 'to')) return 'version';
  if (words === 'revisions diff' && name === 'other') return 'revision';
  if (words === 'spaces files add' && name === 'replace') return fieldOf('file');
  if (words.startsWith('pages ') && ['pages', 'under', 'before', 'after'].includes(name))
    return fieldOf('page');
  return fieldOf(name === 'to-space' ? 'space' : name);
}

/** Options that name parent resources, with their path parameters. */
const parents = {
  site: 'siteId',
  space: 'spaceId',
  integration: 'integrationName',
  'spec-slug': 'specSlug',
  'change-request': 'changeRequestId',
} as const;

async function suggestNames(
  runtime: Runtime,
  field: string,
  { command, options, typed }: TypedLine,
): Promise<Suggestion[]> {
  const flags = Object.fromEntries(Object.entries(options).map(([flag, value]) => [optionKey(flag), value]));
  const session = createSession(runtime, flags);
  try {
    if (field === 'profile') return listProfiles(session);
    if (field === 'shell')
      return Object.keys((await import('./scripts.ts')).scripts).map((name) => [name, '']);
    if (field === 'setting') {
      const { suggestSettings } = await import('./settings.ts');
      return suggestSettings(session, command.name(), options['project'] !== undefined).map((name) => [
        name,
        '',
      ]);
    }
    if (field === 'resource')
      return nouns
        .filter(({ summary }) => summary !== '')
        .map(({ words, summary }) => [words.replaceAll(' ', '.'), summary]);
    if (
      field === 'run' ||
      (field === 'ref' && command.name() === 'forget') ||
      field === 'only' ||
      field === 'exclude'
    ) {
      const { state = options['lock'], file } = options;
      const source = defined({ state, file });
      return await (field === 'run' ? listRuns(session, source) : listOwned(session, source));
    }
    if (field === 'ref' && command.name() === 'adopt') {
      const { state = options['lock'], file } = options;
      return await listUnowned(session, defined({ state, file }));
    }
    const params: Record<string, string> = {};
    for (const [flag, param] of Object.entries(parents)) {
      const value = options[flag];
      if (value !== undefined && field !== param && field !== fieldOf(flag))
        params[param] = await resolveName(session, param, value);
    }
    const operationId = [command.parent?.parent?.name(), command.parent?.name(), command.name()]
      .filter((word) => word !== undefined && word !== 'docsctl')
      .join('.');
    const named = await listCandidates(session, field, params, operationId, typed);
    return named.length === 0 ? await listResources(session, field, params) : named;
  } finally {
    await session.close();
  }
}

async function listTopics(): Promise<Suggestion[]> {
  const { topics } = await import('../help/topics.ts');
  return Object.entries(topics).map(([name, { summary }]) => [name, summary]);
}

function listProfiles({ runtime }: Session): Suggestion[] {
  const { profiles = {} } = readSettingsFile(runtime);
  return Object.entries(profiles).map(([name, { server, store }]) => [name, server ?? store ?? '']);
}
