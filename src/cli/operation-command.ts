import { Option, type Command } from 'commander';
import type { Operation } from '../contract/operation.ts';
import { fieldPaths } from '../contract/paths.ts';
import type { TSchema } from '../contract/schema.ts';
import { defined, isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { Noun } from '../resources/index.ts';
import { addFields, describeField } from './field-options.ts';
import { propertiesIn } from './field-schema.ts';
import { forceOption, outOption, readFields } from './fields.ts';
import { fieldFlag, optionKey, paramFlag } from './flags.ts';
import { readArguments } from './files.ts';
import { namesFor, resolveBody, resolveFields, resolveName, resolveOrganization } from './names.ts';
import { setHelp } from './command-help.ts';
import { runInSession } from './command-session.ts';
import { addGlobalOptions } from './global-options.ts';
import { resolvePointers } from './pointers.ts';
import type { Runtime } from './runtime.ts';
import { wantsDocument, type Session } from './session.ts';

/** The positional arguments of an operation. Path parameters can be given as flags, too. */
function positionalsOf({ cli, paramNames }: Operation): readonly string[] {
  if (cli.positional !== undefined) return cli.positional;
  return paramNames.slice(-1).filter((name) => name !== 'organizationId');
}

/** Whether a command takes the names of many resources, or "-" for ids on standard input. */
function takesMany(operation: Operation): boolean {
  const [name, second] = positionalsOf(operation);
  const { item, file } = operation.returns;
  return (
    name !== undefined &&
    second === undefined &&
    operation.paramNames.includes(name) &&
    item === undefined &&
    file === undefined
  );
}

/** Whether a positional may be several words without quotes: the query of a search. */
function takesWords(operation: Operation, name: string): boolean {
  return name === 'query' && positionalsOf(operation).at(-1) === name;
}

/** Sets what the help of its noun shows of a command. */
export function summarize(command: Command, { summary, deprecated }: Operation): void {
  command.summary(deprecated ? `${summary} (deprecated)` : summary);
}

/** Turns an operation into a command: arguments, options, help and action all follow from its declaration. */
export function addOperation(command: Command, operation: Operation, runtime: Runtime, noun: Noun): void {
  const { description, paramNames, returns, cli } = operation;
  command.summary(operation.summary);
  setHelp(command, { ...defined({ description }), examples: cli.examples ?? [], operation });
  const positionals = positionalsOf(operation);
  for (const name of positionals) {
    const isMany = takesMany(operation);
    const word = fieldFlag(paramFlag(name));
    const summary = paramNames.includes(name)
      ? describeParam(name, operation.id, isMany)
      : describeField(name, operation);
    command.argument(`[${word}${isMany || takesWords(operation, name) ? '...' : ''}]`, summary);
  }
  command.allowExcessArguments(false);
  command.optionsGroup('Options:');
  for (const name of paramNames) {
    if (name === 'organizationId') continue;
    const option = new Option(`--${paramFlag(name)} <${paramFlag(name)}>`, describeParam(name, operation.id));
    command.addOption(positionals.includes(name) ? option.hideHelp() : option);
  }
  addFields(command, operation, positionals);
  if (returns.item !== undefined) command.option('--all', 'get every page of the list');
  if (returns.file === true) command.option(...outOption).option(...forceOption);
  addGlobalOptions(command);
  command.action(() =>
    runInSession(runtime, command, (session) => runOperation(session, operation, noun, command)),
  );
}

/** What a path parameter takes: "title, basename or ID of the site (required)". */
function describeParam(name: string, operationId: string, isMany = false): string {
  const { word, names } = namesFor(name, operationId);
  const [first, ...more] = [...names, 'ID'];
  const text = more.length === 0 ? first : `${[first, ...more].slice(0, -1).join(', ')} or ${more.at(-1)}`;
  return `${textsOfParams[name] ?? `${text} of the ${word}`}${isMany ? '; several can be given, and "-" reads IDs from standard input' : ''} (required)`;
}

/** What path parameters take whose resources cannot be found by a name of another kind. */
const textsOfParams: Readonly<Record<string, string>> = {
  integrationName: 'name of the integration',
  installationId: 'ID of the installation, from `docsctl integrations installations list`',
  eventId: 'ID of the event, from `docsctl integrations events list`',
  imageId: 'ID of the image, the last part of its URL',
  conversationId: 'ID of the conversation, from `docsctl conversations list`',
  issueId: 'ID of the issue, from `docsctl conversations issues list`',
  specSlug: 'slug of the specification',
  versionId: 'ID of the version; "latest" is the newest',
};

type Options = Readonly<Record<string, unknown>>;
type Params = Readonly<Record<string, string>>;

async function runOperation(
  session: Session,
  operation: Operation,
  noun: Noun,
  command: Command,
): Promise<void> {
  const options = command.opts<Options>();
  const { args } = command;
  const positionals = positionalsOf(operation);
  const isMany = takesMany(operation);
  const given: Record<string, string | undefined> = {};
  if (!isMany)
    for (const [index, name] of positionals.entries())
      given[name] =
        takesWords(operation, name) && args.length > index ? args.slice(index).join(' ') : args[index];
  const { query, body } = await readFields(session, operation, options, given);
  const { params, targets } = await resolveParams(session, operation, {
    given,
    options,
    many: isMany ? args : [],
  });
  await fillOrganization(session, operation, body);
  const inputs =
    targets.length === 0 ? [params] : targets.map(({ param, id }) => ({ ...params, [param]: id }));
  const [first = {}] = inputs;
  const sent = await resolvePointers(
    session,
    body === undefined ? undefined : await resolveBody(session, operation, body, first),
    first,
  );
  const sentQuery = await resolveFields(session, operation, query, first);
  if (operation.method !== 'GET' && session.flags.dryRun === true) {
    const { printRequests } = await import('./print-results.ts');
    return printRequests(session, operation, inputs, { query: sentQuery, body: sent });
  }
  if (operation.cli.destructive ?? operation.method === 'DELETE') {
    const { confirm } = await import('./confirm.ts');
    const [last = ''] = positionals;
    await confirm(session, {
      verb: operation.id.replace(/^.*\./, ''),
      noun: noun.words,
      names: targets.length > 0 ? targets.map(({ name }) => name) : [params[last] ?? ''],
    });
  }
  if (operation.returns.file === true) {
    const { saveAnswer } = await import('./save-file.ts');
    return saveAnswer(session, operation, { params, query: sentQuery }, options);
  }
  if (operation.returns.item !== undefined) {
    const { printList } = await import('./print-list.ts');
    return printList(session, operation, noun, {
      params: first,
      query: sentQuery,
      isWhole: options['all'] === true,
    });
  }
  await callEach(session, operation, noun, {
    inputs,
    query: sentQuery,
    body: sent,
    isList: targets.length > 1,
  });
}

/** One of many resources that a command acts on: its name as it was given, and its id. */
interface Target {
  readonly param: string;
  readonly name: string;
  readonly id: string;
}

/** Resolves the path parameters, which positionals, flags and the settings give. */
async function resolveParams(
  session: Session,
  operation: Operation,
  {
    given,
    options,
    many,
  }: { given: Readonly<Record<string, string | undefined>>; options: Options; many: readonly string[] },
): Promise<{ params: Params; targets: readonly Target[] }> {
  const positionals = positionalsOf(operation);
  const params: Record<string, string> = {};
  const targets: { param: string; name: string }[] = [];
  for (const param of operation.paramNames) {
    const isPositional = positionals.includes(param);
    if (isPositional && many.length > 0) {
      for (const name of await readArguments(session, many)) targets.push({ param, name });
      continue;
    }
    const flag = options[optionKey(paramFlag(param))];
    const value = given[param] ?? (typeof flag === 'string' ? flag : undefined);
    if (value === undefined && param !== 'organizationId')
      throw new Problem('usage', `Which ${paramFlag(param).replaceAll('-', ' ')}?`, {
        hint: `Give it as --${paramFlag(param)}${isPositional ? ' or by position' : ''}; see docsctl ${wordsOf(operation)} --help.`,
      });
    params[param] = await resolveName(session, param, value, params, operation.id);
  }
  const resolved: Target[] = [];
  for (const { param, name } of targets)
    resolved.push({ param, name, id: await resolveName(session, param, name, params, operation.id) });
  return { params, targets: resolved };
}

/** Fills a required field `organization` from the settings, unless it is the target of a transfer. */
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

interface Calls {
  readonly inputs: readonly Params[];
  readonly query: Record<string, unknown>;
  readonly body: unknown;
  /** Whether the results are printed as a list: several resources were named. */
  readonly isList: boolean;
}

/** Calls the operation for each resource and prints the results. Of several calls one may fail. */
async function callEach(
  session: Session,
  operation: Operation,
  noun: Noun,
  { inputs, query, body, isList }: Calls,
): Promise<void> {
  const { schema } = operation.returns;
  const { columnsOf, tableViewOf } = await import('./table-views.ts');
  const view = tableViewOf(operation.id, session);
  const printer = await session.printer({
    columns: view?.columns ?? operation.cli.columns ?? [],
    knownColumns: columnsOf(operation.id),
    noun: noun.words,
    fields: view?.fields ?? fieldPaths(rowSchema(schema)),
  });
  const results: unknown[] = [];
  let failure: Problem | undefined;
  for (const params of inputs) {
    try {
      const result: unknown = await session.call(operation, { params, query, ...defined({ body }) } as never);
      if (result !== undefined) results.push(result);
    } catch (error) {
      if (!isList || !(error instanceof Problem)) throw error;
      failure = error;
      session.note(`error: ${Object.values(params).at(-1)}: ${error.message}`);
    }
  }
  const [first] = results;
  if (schema !== undefined && view?.page !== undefined && wantsPage(session)) {
    for (const [index, result] of results.entries())
      await session.terminal.stdout.write((index > 0 ? '\n' : '') + (await view.page(session, result)));
  } else if (schema !== undefined) {
    const rowsOf = (result: unknown) => view?.rows(result, { query, session });
    if (isList) {
      const items = results.flatMap((result) => rowsOf(result) ?? [result]);
      await printer.page({ count: results.length, items });
    } else {
      const rows = wantsDocument(session) ? undefined : (rowsOf(first) ?? rowsIn(first, wantsTree(session)));
      await (rows === undefined ? printer.one(first) : printer.page({ count: rows.length, items: rows }));
    }
    await printer.end();
    const note = isList ? undefined : view?.note?.(first);
    if (note !== undefined) session.note(note);
    if (results.some(isPending)) await (await import('./wait.ts')).notePending(session);
  } else if (failure === undefined && session.terminal.stderrIsTTY)
    session.note(`${wordsOf(operation)}: done.`);
  if (failure === undefined) return;
  throw new Problem(
    results.length === 0 && schema !== undefined ? failure.reason : 'partly-failed',
    schema === undefined
      ? `Not everything could be done: ${failure.message}`
      : `${results.length} done, ${inputs.length - results.length} failed.`,
    { hint: failure.hint },
  );
}

function wordsOf({ id }: Operation): string {
  return id.replaceAll('.', ' ');
}

/** Whether a job still has to process the result. */
function isPending(result: unknown): boolean {
  return isRecord(result) && result['processingState'] === 'pending';
}

/** Whether a tree is drawn as one: for a person, in its own order. */
function wantsTree({ format, isInteractive, flags }: Session): boolean {
  return format === 'table' && isInteractive && flags.sortBy === undefined;
}

/** Whether a result is drawn as a page: chosen columns ask for rows. */
function wantsPage(session: Session): boolean {
  return wantsTree(session) && session.flags.columns === undefined;
}

/** The schema of the rows that rowsIn finds, else of the answer itself. */
function rowSchema(schema: TSchema | undefined): object {
  const [only, second] = propertiesIn(schema);
  return (second === undefined ? only?.[1].items : undefined) ?? schema ?? {};
}

/** The rows of an answer that is one array under a name, such as `{ pages }`: nested ones in reading order, indented in a tree. */
function rowsIn(result: unknown, isTree: boolean, depth = 0): unknown[] | undefined {
  if (!isRecord(result)) return undefined;
  const [entry, second] = Object.entries(result);
  if (entry === undefined || second !== undefined || !Array.isArray(entry[1])) return undefined;
  const [name, items] = entry as [string, Record<string, unknown>[]];
  return items.flatMap((item) => {
    const { title } = item;
    const isIndented = isTree && depth > 0 && typeof title === 'string';
    const row = isIndented ? { ...item, title: '  '.repeat(depth) + title } : item;
    const inner = { [name]: Array.isArray(item[name]) ? item[name] : [] };
    return [row, ...(rowsIn(inner, isTree, depth + 1) ?? [])];
  });
}
