import type { Command } from 'commander';
import type { Operation, PathParams } from '../contract/operation.ts';
import { fieldPaths } from '../contract/paths.ts';
import { defined, isRecord } from '../contract/values.ts';
import type { Problem } from '../errors/problem.ts';
import { nounOf } from '../resources/index.ts';
import { ownerColumn, rowSchema, rowsIn } from './results/answer-rows.ts';
import { resolveBody, resolveFields } from './names/names.ts';
import { noteResults } from './results/result-notes.ts';
import { setHelp } from './composite-command.ts';
import type { GivenNames } from './results/done-texts.ts';
import { describeWithOptions } from './help/option-names.ts';
import { runInSession } from './session/command-session.ts';
import { doEach } from './session/do-each.ts';
import { canEdit } from './input/edited-fields.ts';
import { readGiven, wantsEdit, type Given, type Options } from './input/read-given.ts';
import { addGlobalOptions } from './settings/global-options.ts';
import { addArguments } from './input/operation-arguments.ts';
import { withOptionErrors } from './input/option-errors.ts';
import { resolvePointers } from './input/pointers.ts';
import type { Runtime } from './runtime.ts';
import { wantsDocument, wantsReport, type Session } from './session/session.ts';

/** Sets the summary of a command in the help of its noun. */
export function summarize(command: Command, { summary, deprecated }: Operation): void {
  command.summary(deprecated ? `${summary} (deprecated)` : summary);
}

/** Adds an operation to a command: arguments, options, help and action follow from its declaration. */
export function addOperation(command: Command, operation: Operation, runtime: Runtime): void {
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
    runInSession(runtime, command, (session) => runOperation(session, operation, command)),
  );
}

/** Calls an operation with the input from the command line, and prints the answer. */
export async function runOperation(
  plainSession: Session,
  operation: Operation,
  command: Command,
): Promise<void> {
  const session = withOptionErrors(plainSession, command, operation);
  const options = command.opts<Options>();
  if (operation.deprecated)
    session.note(
      `warning: \`docsctl ${operation.id.replaceAll('.', ' ')}\` is deprecated.${insteadOf(operation)}`,
    );
  if (options['skeleton'] === true) {
    const { printSkeleton } = await import('./input/skeleton.ts');
    return printSkeleton(session, operation);
  }
  const given = await readGiven(session, operation, options, command.args);
  if (canEdit(operation) && wantsEdit(options, given.body)) return editGiven(session, operation, given);
  const { calls, query } = await prepareCalls(session, operation, given);
  const isDestructive = Boolean(operation.cli.destructive ?? operation.method === 'DELETE');
  if (!operation.safe && session.flags.dryRun === true) {
    const { printCalls } = await import('./results/print-results.ts');
    await printCalls(session, operation, calls, query);
    if (!isDestructive) return;
    const { noteConsequences } = await import('./confirm/confirm-calls.ts');
    return noteConsequences(session, operation, { calls, query });
  }
  const mayAsk = isDestructive || operation.cli.asksAboutOneself === true;
  if (mayAsk && session.flags.yes !== true) {
    const { confirmCalls } = await import('./confirm/confirm-calls.ts');
    const names = given.names ?? [given.params[given.main] ?? ''];
    await confirmCalls(session, operation, { calls, names, query, isDestructive });
  } else if (operation.id === 'collections.delete') {
    // Other consequences need not be read without a question.
    const { describeLostDenials } = await import('./confirm/lost-denials.ts');
    const lost = await describeLostDenials(session, calls);
    if (lost !== undefined) session.note(lost);
  }
  await makeCalls(session, operation, { calls, query, given });
}

/** Makes the calls of a command, and prints the results in the form that the operation and the options require. */
async function makeCalls(
  session: Session,
  operation: Operation,
  { calls, query, given }: { calls: readonly Call[]; query: Record<string, unknown>; given: Given },
): Promise<void> {
  const { options, params, targets, body, typed, names, main } = given;
  if (options['web'] === true) {
    const { openAddresses } = await import('./browser.ts');
    const results = calls.map((call) => session.call(operation, { ...call, query } as never));
    return openAddresses(session, await Promise.all(results));
  }
  if (operation.returns.file === true) {
    const { saveAnswer } = await import('./results/save-file.ts');
    return saveAnswer(session, operation, { params, query }, options);
  }
  if (operation.returns.item !== undefined) {
    const { printList } = await import('./results/print-list.ts');
    return printList(session, operation, {
      params: targets[0]?.params ?? params,
      query,
      body: calls[0]?.body,
      isWhole: options['all'] === true,
    });
  }
  await callEach(session, operation, {
    calls,
    query,
    isList: calls.length > 1 || given.isPiped,
    given: { ...(body as object), ...typed, ...(names === undefined ? {} : { [main]: names }) },
  });
}

/** Replaces names and pointers in a body by IDs. */
async function resolveSent(
  session: Session,
  operation: Operation,
  { params, targets }: Given,
  body: unknown,
): Promise<unknown> {
  const scope = targets[0]?.params ?? params;
  return resolvePointers(
    session,
    body === undefined ? undefined : await resolveBody(session, operation, body, scope),
    scope,
  );
}

/** Edits the fields of a resource in the editor, and sends the changes. */
async function editGiven(session: Session, operation: Operation, given: Given): Promise<void> {
  const { editResource } = await import('./input/edit-resource.ts');
  const params = given.targets[0]?.params ?? given.params;
  return editResource(session, {
    operation,
    targets: given.targets.length,
    params,
    given: given.body as Record<string, unknown>,
    send: async (changed, ifMatch) => {
      const calls = [{ name: '', params, body: await resolveSent(session, operation, given, changed) }];
      if (session.flags.dryRun !== true)
        return callEach(session, operation, { calls, query: {}, isList: false, ifMatch });
      const { printCalls } = await import('./results/print-results.ts');
      return printCalls(session, operation, calls, {});
    },
  });
}

/** Returns the calls of a command: one for each resource or value that it names. */
async function prepareCalls(
  session: Session,
  operation: Operation,
  given: Given,
): Promise<{ calls: readonly Call[]; query: Record<string, unknown> }> {
  const { params, targets, values, body: asked, main } = given;
  const body = await resolveSent(session, operation, given, asked);
  const calls: Call[] =
    targets.length > 0
      ? targets.map(({ name, params: own }) => ({ name, params: own, body }))
      : [{ name: values[0] ?? '', params, body }];
  const isQueried = main in operation.query.properties;
  for (const name of values.slice(1))
    calls.push(
      isQueried
        ? { name, params, query: { [main]: name }, body }
        : {
            name,
            params,
            body: await resolveSent(session, operation, given, { ...(asked as object), [main]: name }),
          },
    );
  if (isRecord(body) && isRecord(body['position']))
    (await import('./confirm/refuse-no-change.ts')).refuseSelfMove(calls);
  const query = { ...operation.cli.defaults, ...given.query };
  return {
    calls,
    query: await resolveFields(session, operation, query, targets[0]?.params ?? params),
  };
}

/** Returns the sentence of a deprecated command that names its replacement. */
function insteadOf({ description = '' }: Operation): string {
  const [, replacement] = /^This command is deprecated: use (`[^`]+`)/.exec(description) ?? [];
  return replacement === undefined ? '' : ` Use ${replacement} instead.`;
}

interface Calls {
  readonly calls: readonly Call[];
  readonly query: Record<string, unknown>;
  /** Whether the results are printed as a list, because several resources were named. */
  readonly isList: boolean;
  /** The names that the user gave. */
  readonly given?: GivenNames;
  /** The entity tag that the changed resource must have. */
  readonly ifMatch?: string | undefined;
}

/** A call of an operation, with the name that the user gave for its resource. */
interface Call {
  readonly name: string;
  readonly params: PathParams;
  /** The parameters of only this call. */
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Makes the calls and prints the results. If there are several calls, some may fail. */
async function callEach(session: Session, operation: Operation, request: Calls): Promise<void> {
  const { calls, isList } = request;
  const shown = await openResults(session, operation, request);
  const { results, failed } = await callAll(session, operation, request);
  if (failed !== undefined && results.length === 0) throw failed;
  if (operation.returns.schema !== undefined)
    await shown(results.filter(({ answer }) => answer !== undefined));
  else if (failed === undefined) {
    if (isList || session.terminal.stderrIsTTY) {
      const { describeDone } = await import('./results/done-texts.ts');
      const names = calls.map(({ name }) => name);
      session.note(describeDone(operation, names, { ...calls[0]?.params, ...request.given }));
    }
    if (startingJobs.has(operation.id)) {
      const { noteStartedJob } = await import('./session/wait.ts');
      await noteStartedJob(session, calls[0]?.params ?? {});
    }
    if (operation.id === 'saml.delete')
      await (
        await import('./results/sign-in-notes.ts')
      ).noteSignIn(session, operation.id, calls[0]?.params['organizationId']);
  }
  if (failed !== undefined) throw failed;
}

/** Operations without an answer that queue a job. */
const startingJobs: ReadonlySet<string> = new Set(['spaces.git.export', 'spaces.git.import']);

/** The result of a call, with the name that the user gave for its resource. */
interface Result {
  readonly name: string;
  readonly answer: unknown;
}

/** Makes the calls. Returns the results, and one error for all failed calls. */
async function callAll(
  session: Session,
  operation: Operation,
  { calls, query, isList, ifMatch }: Calls,
): Promise<{ results: readonly Result[]; failed: Problem | undefined }> {
  const [one, ...others] = calls;
  // A fault in a body that all calls share is reported once.
  if (one?.body !== undefined && others.length > 0 && others.every(({ body }) => body === one.body))
    await session.check(operation, { params: one.params, query, body: one.body });
  const call = async ({ name, params, query: own, body }: Call): Promise<Result> => {
    const input = { params, query: { ...query, ...own }, ...defined({ body }) };
    return { name, answer: await session.call(operation, input as never, defined({ ifMatch })) };
  };
  return doEach(session, calls, call, isList);
}

/** Checks the output options, and returns the printer for the results of calls. */
async function openResults(
  session: Session,
  operation: Operation,
  { calls, query, isList }: Calls,
): Promise<(results: readonly Result[]) => Promise<void>> {
  const { columnsOf, pageOf, tableViewOf } = await import('./results/table-views.ts');
  const view = tableViewOf(operation.id, session);
  const owner = isList ? ownerColumn(operation, view, session) : undefined;
  const withOwner = (columns: readonly string[]) => (owner === undefined ? columns : [owner, ...columns]);
  const printer = await session.printer({
    columns: withOwner(view?.chosen?.(calls[0]?.body) ?? view?.columns ?? operation.cli.columns ?? []),
    knownColumns: columnsOf(operation.id),
    noun: nounOf(operation.id).words,
    fields: withOwner(view?.fields ?? fieldPaths(rowSchema(operation.returns.schema))),
  });
  const draw = session.isInteractive && wantsReport(session) ? pageOf(operation.id, session) : undefined;
  return async (results) => {
    if (draw !== undefined) {
      for (const [index, { answer }] of results.entries())
        await session.paged.write((index > 0 ? '\n' : '') + (await draw(session, answer)));
      return;
    }
    const answers = results.map(({ answer }) => answer);
    const [first] = answers;
    const rowsOf = (answer: unknown) => view?.rows(answer, { query, session });
    const ownedRows = ({ name, answer }: Result, column: string) =>
      (rowsOf(answer) ?? rowsIn(answer, wantsTree(session)) ?? []).map((row) => ({
        [column]: name,
        ...(row as object),
      }));
    const readRows = async (answer: unknown) => view?.read?.(session, answer, calls[0]?.params ?? {});
    const rows =
      owner !== undefined
        ? results.flatMap((result) => ownedRows(result, owner))
        : isList
          ? answers.flatMap((answer) => rowsOf(answer) ?? [answer])
          : wantsDocument(session)
            ? undefined
            : ((await readRows(first)) ?? rowsOf(first) ?? rowsIn(first, wantsTree(session)));
    if (rows === undefined) await printer.one(first);
    else {
      await printer.page({
        count: isList && owner === undefined ? results.length : rows.length,
        items: rows,
      });
      await printer.end();
    }
    const note = isList ? undefined : view?.note?.(first);
    if (note !== undefined) session.note(note);
    await noteResults(session, operation, calls[0], answers);
  };
}

/** Whether to draw a list as a tree: for a person, in its own order. */
function wantsTree({ format, isInteractive, flags }: Session): boolean {
  return format === 'table' && isInteractive && flags.sortBy === undefined;
}
