import type { RawAnswer } from '../../contract/exchange.ts';
import { choiceHint } from '../../contract/nearest.ts';
import { isOperation, type Operation, type PathParams } from '../../contract/operation.ts';
import { parseJson } from '../../contract/limits.ts';
import { Type } from '../../contract/schema.ts';
import { decodePercent, defined, isRecord, recordOf } from '../../contract/values.ts';
import { isProblem, Problem } from '../../errors/problem.ts';
import { nouns } from '../../resources/index.ts';
import type { CommandHelp, DefineCommand } from '../composite-command.ts';
import { confirm } from '../confirm/confirm.ts';
import { collect } from '../input/collect.ts';
import { forceOption, outOption, type SaveOptions } from '../input/fields.ts';
import { readBodyFile } from '../input/files.ts';
import { escapeControlsByLine } from '../output/escape-controls.ts';
import { withoutCredentials } from '../session/secret-texts.ts';
import type { Session } from '../session/session.ts';

interface Options extends SaveOptions {
  readonly body?: string;
  readonly set?: readonly string[];
  readonly list?: boolean;
}

export const help: CommandHelp = {
  description: `
Sends a request to the API and prints the response. On a server, the request is sent unchanged, even if docsctl does not know the path, so that new parts of an API can be used immediately. An embedded store answers like a server. A DELETE asks for confirmation. --out is only for responses that are files, such as a PDF.

With --list, lists every method and path. For a server, they come from its /openapi.json.
`,
  examples: [
    'docsctl api GET "/orgs?limit=5"',
    'echo \'{"title": "Manual"}\' | docsctl api PATCH /spaces/spc_1 --body -',
    'docsctl api PATCH /spaces/spc_1 --set title=Manual',
    'docsctl api --list',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('[method]', 'GET, POST, PUT, PATCH or DELETE (default: GET)')
    .argument('[path]', 'path with its query, with or without /v1')
    .option('--body <file>', 'file with the body as JSON or YAML, or - for standard input')
    .option(
      '--set <path=value>',
      'set a field of the body, or a field inside it: --set FIELD.PART=VALUE; VALUE is JSON, or else a text',
      collect,
    )
    .option('--list', 'list the methods and paths of the API')
    .option(...outOption)
    .option(...forceOption)
    .action(inSession(runApi));
};

async function runApi(
  session: Session,
  verb: string | undefined,
  target: string | undefined,
  options: Options,
): Promise<void> {
  if (options.list === true) return listPaths(session);
  if (verb !== undefined && target === undefined && !knownMethods.includes(verb.toUpperCase()))
    return runApi(session, 'GET', verb, options);
  if (verb === undefined || target === undefined)
    throw new Problem('usage', 'api needs a method and a path.', {
      hint: 'For example: `docsctl api GET /orgs`. To see the paths, run `docsctl api --list`.',
    });
  const method = verb.toUpperCase();
  if (!/^[A-Z]{1,20}$/.test(method))
    throw new Problem('usage', `"${verb}" is not an HTTP method.`, {
      hint: 'The method comes first: `docsctl api GET /orgs`.',
    });
  // Checked before the request, because a server cannot answer a method that HTTP does not have.
  if (!knownMethods.includes(method))
    throw new Problem('usage', `The API has no method ${method}.`, {
      hint: choiceHint(method, knownMethods),
    });
  const path = checkPath(target).replace(/^\/?(v1(?=[/?]|$))?\/?/, '/');
  if (method === 'GET' && (options.body ?? options.set) !== undefined)
    throw new Problem('usage', 'A GET request has no body, so it takes neither --body nor --set.', {
      hint: 'Write the fields into the query of the path: `docsctl api GET "/orgs?limit=5"`.',
    });
  const body = await readBody(session, `api ${method} ${path}`, options);
  if (session.flags.dryRun === true && method !== 'GET') {
    await session.print({ method, path: `/v1${path}`, ...defined({ body: withoutCredentials(body) }) });
    return session.note('Dry run: nothing was sent.');
  }
  if (method === 'DELETE') await confirm(session, { verb: 'delete', noun: 'paths', names: [path] });
  const api = await session.api();
  const found = await findOperation(method, path);
  if (api.send === undefined) {
    if (decodePercent(path.replace(/\?.*/s, '')) === undefined) throw undecodable(path);
    return callOperation(session, found ?? (await unknownPath(method, path)), body, options);
  }
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await api
    .send({ method, path, body: text, signal: session.runtime.signal })
    .catch((error: unknown) => {
      throw found === undefined ? withListHint(error) : error;
    });
  await printAnswer(session, answer, { place: api.place, operation: found?.operation, options });
}

/** Reads the body from --body, and sets the fields of --set in it; undefined without both. @throws Problem(invalid-input) */
async function readBody(session: Session, command: string, { body: file, set }: Options): Promise<unknown> {
  const body = file === undefined ? undefined : await readBodyFile(session, file, { command });
  if (set === undefined) return body;
  if (body !== undefined && !isRecord(body))
    throw new Problem('invalid-input', '--set needs a body that is an object.', {
      hint: 'Write the fields into the file of --body, or leave out --set.',
    });
  const { setFields } = await import('../input/set-fields.ts');
  // The server may know fields that docsctl does not know, so the values have no types.
  return setFields(body ?? {}, Type.Unsafe({}), set, (_name, _schema, text) => Promise.resolve(text));
}

const knownMethods: readonly string[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const listHint = 'To see the methods and paths, run `docsctl api --list`.';

/** Adds a hint to an error about an unknown path: the command that lists the paths of the server. */
function withListHint(error: unknown): unknown {
  if (!isProblem(error, 'not-found', 'method-not-allowed')) return error;
  // The hint of a server about a method lists the allowed methods.
  return error.reason === 'method-not-allowed' && error.hint !== undefined ? error : error.withHint(listHint);
}

/** Checks that a path can be sent and stays below /v1, because a server or proxy may resolve "..". @throws Problem(usage) */
function checkPath(target: string): string {
  if (!/^[!-~]*$/.test(target) || /[\\#]/.test(target))
    throw new Problem(
      'usage',
      `The path ${JSON.stringify(target.slice(0, 80))} contains a character that a URL cannot contain.`,
      {
        hint: 'Percent-encode it as UTF-8, for example %20 for a space.',
      },
    );
  const [path = ''] = target.split('?');
  if (path.split('/').some((segment) => /^(?:\.|%2e){1,2}$/i.test(segment)))
    throw new Problem(
      'usage',
      `The path "${target.slice(0, 80)}" contains "." or "..", which could lead out of the API.`,
      {
        hint: listHint,
      },
    );
  return target;
}

interface FoundOperation {
  readonly operation: Operation;
  readonly params: PathParams;
  readonly query: Readonly<Record<string, unknown>>;
}

async function callOperation(
  session: Session,
  { operation, params, query }: FoundOperation,
  body: unknown,
  options: Options,
): Promise<void> {
  if (operation.returns.file === true) {
    const { saveAnswer } = await import('../results/save-file.ts');
    return saveAnswer(session, operation, { params, query }, options);
  }
  const result: unknown = await session.call(operation, { params, query, ...defined({ body }) } as never);
  await printResult(session, result, operation, options);
}

interface PrintOptions {
  readonly place: string;
  readonly operation: Operation | undefined;
  readonly options: Options;
}

/**
 * Prints the answer of a server: JSON as a result, text without a file name unchanged, and everything else as a file. On a
 * terminal, text is escaped.
 */
async function printAnswer(
  session: Session,
  { bytes, contentType = '', fileName }: RawAnswer,
  { place, operation, options }: PrintOptions,
): Promise<void> {
  if (bytes.length === 0) return;
  const isJson = /^application\/([\w.-]+\+)?json\b/i.test(contentType) && fileName === undefined;
  if (isJson) return printResult(session, readJson(bytes, place), operation, options);
  const { checkSave, printSaved, saveFile } = await import('../results/save-file.ts');
  const { stdout, stdoutIsTTY } = session.terminal;
  if (options.out === undefined && fileName === undefined && contentType.startsWith('text/')) {
    checkText(session, contentType, place);
    const readable = () => escapeControlsByLine(Buffer.from(bytes).toString().replaceAll('\r\n', '\n'));
    return void (await stdout.write(stdoutIsTTY ? readable() : bytes));
  }
  checkSave(session, options);
  const file = { name: fileName ?? 'answer', contentType, bytes };
  await printSaved(session, file, await saveFile(session, file, options));
}

/** Refuses a text if the caller asks for data, so that no script reads the page of a proxy. @throws Problem(unreachable) */
function checkText({ flags }: Session, contentType: string, place: string): void {
  if (flags.query === undefined && ['table', undefined].includes(flags.output)) return;
  throw new Problem('unreachable', `${place} answered with ${contentType.split(';')[0]}, not with JSON.`, {
    hint: 'To print the answer unchanged, leave out --output and --query.',
  });
}

/** Parses the JSON of a server. The depth is limited, because printing is recursive. @throws Problem(unreachable) */
function readJson(bytes: Uint8Array, place: string): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return parseJson(text);
  } catch (cause) {
    const why = cause instanceof Problem ? cause.message : 'The text is not JSON.';
    throw new Problem('unreachable', `${place} answered with JSON that cannot be read. ${why}`, {
      hint: 'Check the address of the server: it may lead to another program or a proxy.',
      cause,
    });
  }
}

async function printResult(
  session: Session,
  result: unknown,
  operation: Operation | undefined,
  { out }: Options,
): Promise<void> {
  if (out !== undefined)
    throw new Problem('usage', '--out works only if the response is a file.', {
      hint: 'Redirect standard output instead: `docsctl api GET /orgs -o json > orgs.json`.',
    });
  if (result === undefined) return;
  const { one, page, end } = await session.printer(defined({ columns: operation?.cli.columns }));
  const isListing = isRecord(result) && Array.isArray(result['items']);
  await (isListing ? page(result as never) : one(result));
  await end();
  const next = isListing && isRecord(result['next']) ? result['next']['page'] : undefined;
  if (typeof next === 'string')
    session.note(
      `There is more. For the next page, add page=${encodeURIComponent(next)} to the query of the path.`,
    );
}

/** @throws Problem(method-not-allowed) if the path has other methods, else Problem(not-found) */
async function unknownPath(method: string, path: string): Promise<never> {
  const allowed: string[] = [];
  for (const other of knownMethods)
    if ((await findOperation(other, path.replace(/\?.*/s, ''))) !== undefined) allowed.push(other);
  if (allowed.length > 0)
    throw new Problem('method-not-allowed', `${method} is not allowed here.`, {
      hint: `Allowed: ${allowed.join(', ')}.`,
    });
  throw new Problem('not-found', `The API has no ${method} ${path.replace(/\?.*/s, '')}.`, {
    hint: listHint,
  });
}

function undecodable(path: string): Problem {
  return new Problem('invalid-input', `The path "${path.slice(0, 80)}" is not percent-encoded UTF-8.`, {
    hint: 'Write a percent sign as %25.',
  });
}

/** Finds the declared operation for a method and path, with the path parameters; undefined if the path cannot be decoded. */
async function findOperation(method: string, target: string): Promise<FoundOperation | undefined> {
  const { pathname, searchParams } = new URL(target, 'http://api.invalid');
  for (const noun of nouns) {
    for (const operation of Object.values(await noun.contract())) {
      if (!isOperation(operation) || operation.method !== method) continue;
      const found = new RegExp(`^${operation.path.replace(/:(\w+)/g, '(?<$1>[^/]+)')}/?$`).exec(pathname);
      if (found === null) continue;
      const params: Record<string, string> = {};
      for (const [name, value] of Object.entries(found.groups ?? {})) {
        const decoded = decodePercent(value);
        if (decoded === undefined) return undefined;
        params[name] = decoded;
      }
      const raw: Record<string, string[] | string> = {};
      for (const name of new Set(searchParams.keys())) {
        const values = searchParams.getAll(name);
        raw[name] = values.length === 1 ? values.join() : values;
      }
      const { readQuery } = await import('../../server/query.ts');
      return { operation, params, query: readQuery(operation.query, raw) };
    }
  }
  return undefined;
}

/** Lists the paths of the API from its OpenAPI description. */
async function listPaths(session: Session): Promise<void> {
  const paths = await readPaths(session);
  const items = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(recordOf(methods))
      .filter(([method]) => /^(get|post|put|patch|delete|head|options)$/.test(method))
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, summary: summaryOf(operation) })),
  );
  items.sort((one, other) => (one.path < other.path ? -1 : one.path > other.path ? 1 : 0));
  await session.printAll(items, { columns: ['method', 'path', 'summary'], noun: 'paths' });
}

function summaryOf(operation: unknown): string {
  const summary = isRecord(operation) ? operation['summary'] : undefined;
  return typeof summary === 'string' ? summary : '';
}

/** Reads the paths of the OpenAPI description. @throws Problem(unreachable) if a server has none */
async function readPaths(session: Session): Promise<object> {
  const api = await session.api();
  const { signal, version } = session.runtime;
  if (api.send === undefined) {
    const { describe } = await import('../../description/describe.ts');
    const description = await describe(nouns, { version, url: 'http://localhost:8080' });
    return (description as { paths: object }).paths;
  }
  const { bytes } = await api.send({ method: 'GET', path: '/openapi.json', body: undefined, signal });
  let cause: unknown;
  try {
    const description = readJson(bytes, api.place);
    if (isRecord(description) && isRecord(description['paths'])) return description['paths'];
  } catch (error) {
    cause = error;
  }
  throw new Problem('unreachable', `${api.place} has no description of its API at /openapi.json.`, {
    hint: 'Read the documentation of the server for its paths.',
    cause,
  });
}
