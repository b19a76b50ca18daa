import type { Command } from 'commander';
import type { Operation } from '../contract/operation.ts';
import { Problem } from '../errors/problem.ts';
import type { Noun } from '../resources/index.ts';
import type { TSchema } from '../contract/schema.ts';
import {
  addFields,
  optionKey,
  fieldFlag,
  propertiesIn,
  readFields,
  forceOption,
  outOption,
} from './fields.ts';
import { createNames, resolveOrganization, paramFlag } from './names.ts';
import { addGlobalOptions, runIn } from './program.ts';
import { fieldPaths } from '../contract/paths.ts';
import type { Runtime } from './runtime.ts';
import type { Session } from './session.ts';

/** Positionals of an operation: what it acts on, by position; every path parameter is a flag as well. */
export function positionalsOf(operation: Operation): readonly string[] {
  if (operation.cli.positional !== undefined) return operation.cli.positional;
  const last = operation.paramNames.at(-1);
  return last === undefined || last === 'organizationId' ? [] : [last];
}

/** Commands on one thing take many, or "-" for ids on standard input. */
function takesMany(operation: Operation): boolean {
  return (
    positionalsOf(operation).length === 1 &&
    operation.paramNames.includes(positionalsOf(operation)[0]!) &&
    operation.returns.item === undefined &&
    operation.returns.file === undefined
  );
}

/** What is looked for may be several words, without quotes. */
function takesWords(operation: Operation, name: string): boolean {
  return name === 'query' && positionalsOf(operation).at(-1) === name;
}

/** What a command shows of itself in the help of its noun; all that is made of a command that nobody asked for. */
export function summarize(command: Command, operation: Operation): void {
  command.summary(operation.deprecated ? `${operation.summary} (deprecated)` : operation.summary);
}

/** Turns an operation into a command: arguments, flags, help and action all follow from its declaration. */
export function addOperation(command: Command, operation: Operation, runtime: Runtime, noun: Noun): void {
  const positionals = positionalsOf(operation);
  const many = takesMany(operation);
  summarize(command, operation);
  command.description(
    [operation.summary + '.', operation.description, `${operation.method} /v1${operation.path}`]
      .filter(Boolean)
      .join('\n'),
  );
  positionals.forEach((name) =>
    command.argument(
      many || takesWords(operation, name)
        ? `[${fieldFlag(paramFlag(name))}...]`
        : `[${fieldFlag(paramFlag(name))}]`,
    ),
  );
  command.allowExcessArguments(false);
  command.optionsGroup('Fields:');
  for (const name of operation.paramNames)
    if (name !== 'organizationId')
      command.option(`--${paramFlag(name)} <id|name>`, `the ${paramFlag(name).replaceAll('-', ' ')}`);
  addFields(command, operation);
  if (operation.returns.item !== undefined) command.option('--all', 'every page');
  if (operation.returns.file === true) command.option(...outOption).option(...forceOption);
  addGlobalOptions(command);
  if ((operation.cli.examples ?? []).length > 0)
    command.addHelpText(
      'after',
      `\nExamples:\n${operation.cli.examples!.map((line) => `  ${line}`).join('\n')}\n`,
    );
  command.action(() =>
    runIn(runtime, command, (session) => runOperation(session, operation, noun, command, many)),
  );
}

async function runOperation(
  session: Session,
  operation: Operation,
  noun: Noun,
  command: Command,
  many: boolean,
): Promise<void> {
  const options = command.opts<Record<string, unknown>>();
  const positionals = positionalsOf(operation);
  const given = many
    ? []
    : positionals.map((name, index) =>
        takesWords(operation, name) && command.args.length > index
          ? command.args.slice(index).join(' ')
          : command.args[index],
      );
  const { query, body } = await readFields(
    session,
    operation,
    options,
    Object.fromEntries(positionals.map((name, index) => [name, given[index]])),
  );
  const names = createNames(session);
  const params: Record<string, string> = {};
  const targets: string[] = [];
  for (const name of operation.paramNames) {
    const at = positionals.indexOf(name);
    const flag = options[optionKey(paramFlag(name))];
    if (at >= 0 && many && command.args.length > 0)
      targets.push(...(await readArguments(session, command.args)));
    else {
      const value = (at >= 0 ? given[at] : undefined) ?? (typeof flag === 'string' ? flag : undefined);
      if (value === undefined && name !== 'organizationId')
        throw new Problem('usage', `Which ${paramFlag(name).replaceAll('-', ' ')}?`, {
          hint: `Give it as --${paramFlag(name)}${at >= 0 ? ' or by position' : ''}; see docsctl ${operation.id.replaceAll('.', ' ')} --help.`,
        });
      params[name] = await names.resolve(name, value, params, operation.id);
    }
  }
  await fillOrganization(session, operation, body);
  const last = positionals[0];
  const inputs: Record<string, string>[] = [];
  if (targets.length === 0) inputs.push(params);
  else
    for (const target of targets)
      inputs.push({ ...params, [last!]: await names.resolve(last!, target, params, operation.id) });
  const sent = body === undefined ? undefined : await names.resolveBody(operation, body, inputs[0]!);
  const sentQuery = await names.resolveQuery(operation, query, inputs[0]!);
  if (operation.method !== 'GET' && session.flags.dryRun === true) {
    const { printRequests } = await import('./dry-run.ts');
    return printRequests(session, operation, inputs, sentQuery, sent);
  }
  if (operation.cli.destructive ?? operation.method === 'DELETE') {
    const { confirm } = await import('./confirm.ts');
    await confirm(session, {
      verb: operation.id.split('.').at(-1)!,
      noun: noun.words,
      names: targets.length > 0 ? targets : inputs.map((input) => input[last ?? ''] ?? ''),
    });
  }
  if (operation.returns.file === true) {
    const { saveAnswer } = await import('./save-file.ts');
    return saveAnswer(session, operation, { params, query: sentQuery }, options);
  }
  if (operation.returns.item !== undefined) {
    const { printList } = await import('./print-list.ts');
    return printList(
      session,
      operation,
      { params: inputs[0] ?? {}, query: sentQuery },
      options['all'] === true,
      noun,
    );
  }
  await callEach(session, operation, inputs, sentQuery, sent, noun, targets.length > 1);
}

/** An organization that is no place of the operation but a field, as of an installation, is that of --org as well; not where something goes to. */
async function fillOrganization(
  session: Session,
  { id, body: schema, paramNames }: Operation,
  body: unknown,
): Promise<void> {
  const required = (schema as { required?: readonly string[] } | undefined)?.required ?? [];
  if (!required.includes('organization') || paramNames.includes('organizationId') || id.endsWith('.transfer'))
    return;
  const fields = body as Record<string, unknown>;
  fields['organization'] ??= await resolveOrganization(session);
}

async function callEach(
  session: Session,
  operation: Operation,
  inputs: readonly Record<string, string>[],
  query: object,
  body: unknown,
  noun: Noun,
  asList: boolean,
): Promise<void> {
  const api = await session.api();
  const { columnsOf, tableViewOf } = await import('./table-views.ts');
  const view = tableViewOf(operation.id, session.format, session.flags.query);
  const printer = await session.printer({
    columns: view?.columns ?? operation.cli.columns ?? [],
    knownColumns: columnsOf(operation.id),
    noun: noun.words,
    fields: view?.fields ?? fieldPaths(rowSchema(operation.returns.schema)),
  });
  const results: unknown[] = [];
  let failed: Problem | undefined;
  for (const params of inputs) {
    try {
      const result: unknown = await api.call(
        operation,
        { params, query, ...(body === undefined ? {} : { body }) } as never,
        { signal: session.runtime.signal },
      );
      if (result !== undefined) results.push(result);
    } catch (error) {
      if (!asList || !(error instanceof Problem)) throw error;
      failed = error;
      session.note(`error: ${Object.values(params).at(-1)}: ${error.message}`);
    }
  }
  if (operation.returns.schema !== undefined && view?.page !== undefined && isPage(session)) {
    for (const [at, result] of results.entries())
      await session.terminal.stdout.write((at > 0 ? '\n' : '') + (await view.page(session, result)));
  } else if (operation.returns.schema !== undefined) {
    const rowsOf = (result: unknown) =>
      view?.rows(result, {
        query: query as Record<string, unknown>,
        isInteractive: session.isInteractive,
        now: session.runtime.clock(),
      });
    const rows =
      session.format === 'json' || session.format === 'yaml'
        ? undefined
        : (rowsOf(results[0]) ?? rowsIn(results[0], isDrawnTree(session)));
    if (asList)
      await printer.page({
        count: results.length,
        items: results.flatMap((result) => rowsOf(result) ?? [result]),
      });
    else if (rows !== undefined && session.flags.query === undefined)
      await printer.page({ count: rows.length, items: rows });
    else await printer.one(results[0]);
    await printer.end();
    const more = asList ? undefined : view?.note?.(results[0]);
    if (more !== undefined) session.note(more);
    if (results.some(isPending)) await (await import('./wait.ts')).notePending(session);
  } else if (failed === undefined && session.terminal.stderrIsTTY)
    session.note(`${operation.id.replaceAll('.', ' ')}: done.`);
  if (failed !== undefined) {
    const failures = inputs.length - results.length;
    throw new Problem(
      results.length === 0 && operation.returns.schema !== undefined ? failed.reason : 'partly-failed',
      operation.returns.schema === undefined
        ? `Not everything could be done: ${failed.message}`
        : `${results.length} done, ${failures} failed.`,
      { hint: failed.hint },
    );
  }
}

/** Whether a job still has to process what was answered. */
function isPending(result: unknown): boolean {
  return (result as { processingState?: unknown } | null)?.processingState === 'pending';
}

/** The schema of what rowsIn gives, else of the answer itself. */
function rowSchema(schema: TSchema | undefined): object {
  const entries = propertiesIn(schema);
  const only = entries.length === 1 ? entries[0]![1] : undefined;
  return only?.items ?? schema ?? {};
}

/** A tree stays one where it is drawn for a person in its own order. */
function isDrawnTree({ format, isInteractive, flags }: Session): boolean {
  return format === 'table' && isInteractive && flags.sortBy === undefined;
}

/** Whether what an answer has as a page is shown so: rows of chosen columns are asked for as rows. */
function isPage({ format, isInteractive, flags }: Session): boolean {
  return format === 'table' && isInteractive && flags.columns === undefined && flags.sortBy === undefined;
}

/** The rows of an answer that is one array under a name, such as `{ pages }`; those within each other in reading order, with titles set in if they are drawn. */
function rowsIn(result: unknown, drawn: boolean, depth = 0): unknown[] | undefined {
  if (typeof result !== 'object' || result === null) return undefined;
  const [entry, second] = Object.entries(result);
  if (entry === undefined || second !== undefined || !Array.isArray(entry[1])) return undefined;
  const [name, items] = entry as [string, Record<string, unknown>[]];
  return items.flatMap((item) => [
    drawn && depth > 0 && typeof item['title'] === 'string'
      ? { ...item, title: '  '.repeat(depth) + item['title'] }
      : item,
    ...(rowsIn({ [name]: Array.isArray(item[name]) ? item[name] : [] }, drawn, depth + 1) ?? []),
  ]);
}

/** The words of a variadic argument; "-" stands for the lines of standard input. */
export async function readArguments(session: Session, args: readonly string[]): Promise<string[]> {
  if (!(args.length === 1 && args[0] === '-')) return [...args];
  const { readText } = await import('./files.ts');
  const lines = (await readText(session, '-'))
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) throw new Problem('usage', 'Standard input held no ids.');
  return lines;
}
