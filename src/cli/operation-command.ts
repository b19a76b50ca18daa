import type { Command } from 'commander';
import type { Operation, PathParams } from '../contract/operation.ts';
import { fieldPaths } from '../contract/paths.ts';
import { defined, isRecord } from '../contract/values.ts';
import { Problem } from '../errors/problem.ts';
import type { Noun } from '../resources/index.ts';
import { rowSchema, rowsIn } from './results/answer-rows.ts';
import { canChoose } from './names/choose.ts';
import { readFields } from './input/fields.ts';
import { optionKey, paramFlag, paramDefaults } from './input/flags.ts';
import { namesFor } from './names/name-kinds.ts';
import { readArguments } from './input/files.ts';
import { resolveBody, resolveFields, resolveName, resolveOrganization } from './names/names.ts';
import { noteResults } from './results/result-notes.ts';
import { setHelp } from './command-help.ts';
import type { GivenNames } from './results/done-texts.ts';
import { describeWithOptions } from './help/option-names.ts';
import { runInSession } from './session/command-session.ts';
import { canEdit } from './input/edited-fields.ts';
import { addGlobalOptions } from './settings/global-options.ts';
import { addArguments } from './input/operation-arguments.ts';
import { withOptionErrors } from './input/option-errors.ts';
import { resolvePointers } from './input/pointers.ts';
import { positionalsOf, severalOf } from './input/positionals.ts';
import type { Runtime } from './runtime.ts';
import { wantsDocument, type Session } from './session/session.ts';

/** Sets what the help of its noun shows of a command. */
export function summarize(command: Command, { summary, deprecated }: Operation): void {
  command.summary(deprecated ? `${summary} (deprecated)` : summary);
}

/** Turns an operation into a command: arguments, options, help and action all follow from its declaration. */
export function addOperation(command: Command, operation: Operation, runtime: Runtime, noun: Noun): void {
  const { cli } = operation;
  command.summary(operation.summary);
  setHelp(command, {
    ...defined({ description: describeWithOptions(operation) }),
    examples: cli.examples ?? [],
    operation,
  });
  addArguments(command, operation);
  addGlobalOptions(command);
  command.action(() =>
    runInSession(runtime, command, (session) => runOperation(session, operation, noun, command)),
  );
}

type Options = Readonly<Record<string, unknown>>;
/** Calls an operation with what the command line gives, and prints the answer. */
export async function runOperation(
  plainSession: Session,
  operation: Operation,
  noun: Noun,
  command: Command,
): Promise<void> {
  const options = command.opts<Options>();
  const { args } = command;
  const session = withOptionErrors(plainSession, command, operation);
  if (operation.deprecated)
    session.note(`warning: \`docsctl ${wordsOf(operation)}\` is deprecated.${insteadOf(operation)}`);
  if (options['skeleton'] === true) {
    const { printSkeleton } = await import('./input/skeleton.ts');
    return printSkeleton(session, operation);
  }
  const positionals = positionalsOf(operation);
  const [last = ''] = positionals;
  const several = severalOf(operation, last);
  const given = await readPositionals(session, operation, args);
  if (operation.cli.refusesEmails === true)
    (await import('./confirm/refuse-emails.ts')).refuseEmails(given.values);
  const { query, body } = await readFields(session, operation, options, given.fields);
  if (/\.(?:move|override|update|update-\w+)$/.test(operation.id) && !wantsEdit(options, body))
    (await import('./confirm/refuse-no-change.ts')).refuseNoChange(operation, options, body);
  const { params, targets, typed } = await resolveParams(session, operation, {
    given: given.params,
    options,
    many: several === 'resources' ? args : [],
  });
  await fillOrganization(session, operation, body);
  const edits = canEdit(operation) && wantsEdit(options, body);
  if (!edits && operation.body !== undefined && canChoose(session)) {
    const { askFields } = await import('./names/choose-missing.ts');
    await askFields(session, operation, body, params);
  }
  const [target] = targets;
  const first = target?.params ?? params;
  const resolve = async (one: unknown) =>
    resolvePointers(
      session,
      one === undefined ? undefined : await resolveBody(session, operation, one, first),
      first,
    );
  if (edits) {
    const { editResource } = await import('./input/edit-resource.ts');
    return editResource(session, {
      operation,
      noun,
      targets: targets.length,
      params: first,
      given: body as Record<string, unknown>,
      send: async (changed, ifMatch) => {
        const calls = [{ name: '', params: first, body: await resolve(changed) }];
        if (session.flags.dryRun !== true)
          return callEach(session, operation, noun, { calls, query: {}, isList: false, ifMatch });
        const { printCalls } = await import('./results/print-results.ts');
        return printCalls(session, operation, calls, {});
      },
    });
  }
  const sent = await resolve(body);
  const calls: Call[] =
    targets.length > 0
      ? targets.map(({ name, params: own }) => ({ name, params: own, body: sent }))
      : [{ name: given.values[0] ?? '', params, body: sent }];
  for (const value of given.values.slice(1))
    calls.push({ name: value, params, body: await resolve({ ...(body as object), [last]: value }) });
  const sentQuery = await resolveFields(session, operation, { ...operation.cli.defaults, ...query }, first);
  const isDestructive = Boolean(operation.cli.destructive ?? operation.method === 'DELETE');
  if (!operation.safe && session.flags.dryRun === true) {
    const { printCalls } = await import('./results/print-results.ts');
    await printCalls(session, operation, calls, sentQuery);
    if (!isDestructive) return;
    const { noteConsequences } = await import('./confirm/confirm-calls.ts');
    return noteConsequences(session, operation, { calls, query: sentQuery });
  }
  if ((isDestructive || operation.cli.asksAboutOneself === true) && session.flags.yes !== true) {
    const { confirmCalls } = await import('./confirm/confirm-calls.ts');
    const names = targets.length > 0 ? targets.map(({ name }) => name) : [params[last] ?? ''];
    await confirmCalls(session, operation, {
      calls,
      names,
      query: sentQuery,
      noun: noun.words,
      isDestructive,
    });
  }
  if (options['web'] === true) {
    const { openAddresses } = await import('./browser.ts');
    const results = calls.map((call) => session.call(operation, { ...call, query: sentQuery } as never));
    return openAddresses(session, await Promise.all(results));
  }
  if (operation.returns.file === true) {
    const { saveAnswer } = await import('./results/save-file.ts');
    return saveAnswer(session, operation, { params, query: sentQuery }, options);
  }
  if (operation.returns.item !== undefined) {
    const { printList } = await import('./results/print-list.ts');
    return printList(session, operation, noun, {
      params: first,
      query: sentQuery,
      body: sent,
      isWhole: options['all'] === true,
    });
  }
  const names = targets.length > 0 ? { [last]: targets.map(({ name }) => name) } : {};
  await callEach(session, operation, noun, {
    calls,
    query: sentQuery,
    isList: calls.length > 1,
    given: { ...(body as object), ...typed, ...names },
  });
}

/** Whether the fields are edited in the editor: with --edit, or after the word `edit` without any field. */
function wantsEdit({ edit }: Options, body: unknown): boolean {
  return edit === true || (edit === 'word' && isRecord(body) && Object.keys(body).length === 0);
}

/**
 * Reads what is given by position: values of path parameters and fields. `values` are those of a field that each get a
 * request of their own; the first of them is also among the fields.
 */
async function readPositionals(
  session: Session,
  operation: Operation,
  args: readonly string[],
): Promise<{
  readonly params: PathParams;
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly values: readonly string[];
}> {
  const fields: Record<string, string | readonly string[]> = {};
  const params: Record<string, string> = {};
  let values: readonly string[] = [];
  for (const [index, name] of positionalsOf(operation).entries()) {
    const words = args.slice(index);
    const [word] = words;
    const several = severalOf(operation, name);
    if (word === undefined || several === 'resources') continue;
    if (several === 'items') fields[name] = await readArguments(session, words);
    else if (several === 'values') {
      values = await readArguments(session, words);
      fields[name] = values[0] ?? '';
    } else params[name] = fields[name] = several === 'text' ? words.join(' ') : word;
  }
  return { params, fields, values };
}

/** One of several resources that a command acts on: the name that the user gave, and the parameters of its request. */
interface Target {
  readonly name: string;
  readonly params: PathParams;
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
): Promise<{ params: PathParams; targets: readonly Target[]; typed: PathParams }> {
  const positionals = positionalsOf(operation);
  const params: Record<string, string> = {};
  const typed: Record<string, string> = {};
  const names = many.length > 0 ? await readArguments(session, many) : [];
  let target = '';
  let spaces: ReadonlyMap<string, string> | undefined;
  for (const param of operation.paramNames) {
    const isPositional = positionals.includes(param);
    if (isPositional && many.length > 0) {
      target = param;
      continue;
    }
    const flag = options[optionKey(paramFlag(param))];
    const value =
      given[param] ??
      (typeof flag === 'string' ? flag : undefined) ??
      defaultOf(session, operation, param, isPositional);
    if (value === undefined && param === 'spaceId' && positionals[0] === 'changeRequestId') {
      spaces = await (await import('./names/spaces-of-requests.ts')).findSpacesOfRequests(session, names);
      if (spaces !== undefined) continue;
    }
    if (value === undefined && param !== 'organizationId') {
      const { chooseParam } = await import('./names/choose-missing.ts');
      const chosen = await chooseParam(session, param, params, operation.id);
      if (chosen !== undefined) {
        params[param] = chosen;
        continue;
      }
      throw new Problem('usage', `No ${namesFor(param, operation.id).word} is given.`, {
        hint: `Give it ${isPositional ? 'as an argument or ' : ''}with --${paramFlag(param)}. \`docsctl ${wordsOf(operation)} --help\` shows how.`,
      });
    }
    if (value !== undefined) typed[param] = value;
    params[param] = await resolveName(session, param, value, params, operation.id);
  }
  const resolved: Target[] = [];
  for (const name of names) {
    const own = { ...params, ...defined({ spaceId: spaces?.get(name) }) };
    resolved.push({
      name,
      params: { ...own, [target]: await resolveName(session, target, name, own, operation.id) },
    });
  }
  return { params, targets: resolved, typed };
}

/** Returns the sentence of a deprecated command that names its replacement. */
function insteadOf({ description = '' }: Operation): string {
  const [, replacement] = /^This command is deprecated: use (`[^`]+`)/.exec(description) ?? [];
  return replacement === undefined ? '' : ` Use ${replacement} instead.`;
}

/** The default space or site of the settings; none for a command that changes the space or site itself. */
function defaultOf(
  { settings }: Session,
  { id, method }: Operation,
  param: string,
  isPositional: boolean,
): string | undefined {
  const isOwn = isPositional && method !== 'GET' && /^(spaces|sites)\.[^.]+$/.test(id);
  if (isOwn) return undefined;
  if (param === 'spaceId') return settings.space?.value;
  return param === 'siteId' ? settings.site?.value : paramDefaults[param];
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
  readonly calls: readonly Call[];
  readonly query: Record<string, unknown>;
  /** Whether the results are printed as a list: several things were named. */
  readonly isList: boolean;
  /** What the command line names, as it was given. */
  readonly given?: GivenNames;
  /** The entity tag that what is changed must have. */
  readonly ifMatch?: string | undefined;
}

/** One call of an operation, with the name that the user gave for its resource. */
interface Call {
  readonly name: string;
  readonly params: PathParams;
  readonly body: unknown;
}

/** Makes the calls and prints the results. Of several calls one may fail. */
async function callEach(
  session: Session,
  operation: Operation,
  noun: Noun,
  { calls, query, isList, ifMatch, given }: Calls,
): Promise<void> {
  const { schema } = operation.returns;
  const { columnsOf, pageOf, tableViewOf } = await import('./results/table-views.ts');
  const view = tableViewOf(operation.id, session);
  const printer = await session.printer({
    columns: view?.columns ?? operation.cli.columns ?? [],
    knownColumns: columnsOf(operation.id),
    noun: noun.words,
    fields: view?.fields ?? fieldPaths(rowSchema(schema)),
  });
  const [one, ...others] = calls;
  // What is wrong with a body that all of them send is said once.
  if (one?.body !== undefined && others.length > 0 && others.every(({ body }) => body === one.body))
    await session.check(operation, { params: one.params, query, body: one.body });
  const results: unknown[] = [];
  let done = 0;
  let failure: Problem | undefined;
  for (const { name, params, body } of calls) {
    try {
      const input = { params, query, ...defined({ body }) };
      const result: unknown = await session.call(operation, input as never, defined({ ifMatch }));
      done++;
      if (result !== undefined) results.push(result);
    } catch (error) {
      if (!isList || !(error instanceof Problem)) throw error;
      failure = error;
      session.noteError(`error: ${name}: ${error.message}`);
    }
  }
  const failed =
    failure &&
    new Problem(
      done === 0 ? failure.reason : 'partly-failed',
      `${done} done, ${calls.length - done} failed.`,
      { hint: failure.hint },
    );
  if (failed !== undefined && done === 0) throw failed;
  const [first] = results;
  const draw = wantsPage(session) ? pageOf(operation.id, session) : undefined;
  if (schema !== undefined && draw !== undefined) {
    for (const [index, result] of results.entries())
      await session.paged.write((index > 0 ? '\n' : '') + (await draw(session, result)));
  } else if (schema !== undefined) {
    const rowsOf = (result: unknown) => view?.rows(result, { query, session });
    const readRows = async (result: unknown) => view?.read?.(session, result, calls[0]?.params ?? {});
    const rows = isList
      ? results.flatMap((result) => rowsOf(result) ?? [result])
      : wantsDocument(session)
        ? undefined
        : ((await readRows(first)) ?? rowsOf(first) ?? rowsIn(first, wantsTree(session)));
    if (rows === undefined) await printer.one(first);
    else {
      await printer.page({ count: isList ? results.length : rows.length, items: rows });
      await printer.end();
    }
    const note = isList ? undefined : view?.note?.(first);
    if (note !== undefined) session.note(note);
    await noteResults(session, operation, calls[0], results);
  } else if (failed === undefined && (isList || session.terminal.stderrIsTTY)) {
    const { describeDone } = await import('./results/done-texts.ts');
    const names = calls.map(({ name }) => name);
    session.note(describeDone(operation, noun.words, names, { ...one?.params, ...given }));
  }
  if (failed !== undefined) throw failed;
}

function wordsOf({ id }: Operation): string {
  return id.replaceAll('.', ' ');
}

/** Whether a tree is drawn as one: for a person, in its own order. */
function wantsTree({ format, isInteractive, flags }: Session): boolean {
  return format === 'table' && isInteractive && flags.sortBy === undefined;
}

/** Whether a result is drawn as a page: chosen columns ask for rows. */
function wantsPage(session: Session): boolean {
  return wantsTree(session) && session.flags.columns === undefined;
}
