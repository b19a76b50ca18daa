import type { Command, Option } from 'commander';
import { Problem } from '../../errors/problem.ts';
import { createProgram, fill } from '../program.ts';
import { listRuns, listByPath } from './candidates.ts';
import { optionKey } from '../fields.ts';
import { listCandidates, createNames, holderOf } from '../names.ts';
import type { Runtime } from '../runtime.ts';
import { createSession } from '../session.ts';
import { readSettingsFile, type GlobalFlags } from '../settings.ts';
import { escapeControls } from '../output/escape-controls.ts';

/** Prints what may stand at the cursor, one "word<TAB>what it is" a line, for the scripts in completions/. */
export async function complete(runtime: Runtime): Promise<number> {
  const words = runtime.argv.slice(1);
  try {
    for (const [word, note] of await suggestions(runtime, words)) {
      if (word.startsWith(words.at(-1) ?? ''))
        await runtime.terminal.stdout.write(`${escapeControls(word)}\t${escapeControls(note)}\n`);
    }
    return 0;
  } catch (error) {
    // At a prompt there is no place for an error: no suggestion is the answer.
    if (error instanceof Problem) return error.exitCode;
    throw error;
  }
}

type Suggestion = readonly [word: string, note: string];

async function suggestions(runtime: Runtime, words: readonly string[]): Promise<Suggestion[]> {
  const typed = words.slice(0, -1);
  const current = words.at(-1) ?? '';
  const { command, given, options } = await walk(runtime, typed);
  const open = optionOf(command, typed.at(-1));
  if (open !== undefined && takesValue(open)) return optionValues(runtime, command, open, options);
  if (current.startsWith('-'))
    return command.options
      .filter((option) => !option.hidden)
      .map((option) => [option.long ?? option.short ?? '', option.description]);
  if (command.commands.length > 0)
    return command.commands.flatMap((inner): Suggestion[] =>
      [inner.name(), ...inner.aliases()].map((name) => [name, inner.summary()]),
    );
  return positionalValues(runtime, command, given, options);
}

/** Follows the words typed so far to a command; gives its positionals and the values of its options. */
async function walk(
  runtime: Runtime,
  typed: readonly string[],
): Promise<{ command: Command; given: string[]; options: Record<string, string> }> {
  let command = createProgram(runtime);
  const given: string[] = [];
  const options: Record<string, string> = {};
  for (let index = 0; index < typed.length; index++) {
    const word = typed[index]!;
    const option = optionOf(command, word);
    if (option !== undefined) {
      if (takesValue(option) && index + 1 < typed.length)
        options[(option.long ?? '').slice(2)] = typed[++index]!;
      continue;
    }
    const inner = command.commands.find(
      (candidate) => candidate.name() === word || candidate.aliases().includes(word),
    );
    if (inner === undefined) given.push(word);
    else {
      if (command.parent === null) await fill(inner, runtime, typed);
      command = inner;
    }
  }
  return { command, given, options };
}

function optionOf(command: Command, word: string | undefined): Option | undefined {
  return word === undefined
    ? undefined
    : command.options.find((option) => option.long === word || option.short === word);
}

function takesValue(option: Option): boolean {
  return option.required;
}

async function optionValues(
  runtime: Runtime,
  command: Command,
  option: Option,
  options: Record<string, string>,
): Promise<Suggestion[]> {
  if (option.argChoices !== undefined) return option.argChoices.map((choice) => [choice, '']);
  const flag = (option.long ?? '').slice(2);
  if (flag === 'output') return option.description.split(' | ').map((format) => [format, '']);
  return named(runtime, holderOf(flag), command, options);
}

/** What stands at a place; a place that is given by its flag is left out. What stands before it says where to look. */
async function positionalValues(
  runtime: Runtime,
  command: Command,
  given: readonly string[],
  options: Record<string, string>,
): Promise<Suggestion[]> {
  const open = command.registeredArguments.filter((argument) => options[argument.name()] === undefined);
  const argument = open[given.length] ?? open.find(({ variadic }) => variadic);
  if (argument === undefined) return [];
  const before = open.slice(0, given.length).map((one, index) => [one.name(), given[index]!]);
  return named(runtime, holderOf(argument.name()), command, { ...Object.fromEntries(before), ...options });
}

/** Flags of what other things lie in, with the path parameter that each stands for. */
const places = {
  site: 'siteId',
  space: 'spaceId',
  integration: 'integrationName',
  'spec-slug': 'specSlug',
  'change-request': 'changeRequestId',
} as const;

async function named(
  runtime: Runtime,
  holder: string,
  command: Command,
  options: Record<string, string>,
): Promise<Suggestion[]> {
  const session = createSession(runtime, globalsIn(options));
  try {
    if (holder === 'profile')
      return Object.entries(readSettingsFile(runtime).profiles ?? {}).map(([name, { server, store }]) => [
        name,
        server ?? store ?? '',
      ]);
    if (holder === 'run') return await listRuns(session, options['lock']);
    const params: Record<string, string> = {};
    for (const [flag, name] of Object.entries(places)) {
      const value = options[flag];
      if (value !== undefined && holder !== name && holder !== holderOf(flag))
        params[name] = await createNames(session).resolve(name, value, {}, '');
    }
    const operation = [command.parent?.parent?.name(), command.parent?.name(), command.name()]
      .filter((word) => word !== undefined && word !== 'docsctl')
      .join('.');
    const known = await listCandidates(session, holder, params, operation);
    if (known.length > 0)
      return known.flatMap(([id, name]): Suggestion[] => [
        [id, name],
        ...(name === '' ? [] : [[name, id] as const]),
      ]);
    return await listByPath(session, holder, params);
  } finally {
    await session.close();
  }
}

/** Flags as a session takes them, by the names of commander. */
function globalsIn(options: Record<string, string>): GlobalFlags {
  return Object.fromEntries(Object.entries(options).map(([flag, value]) => [optionKey(flag), value]));
}
