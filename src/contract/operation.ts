import { FileSchema, type FileAnswer, type HandlerFile } from './file.ts';
import { closed, Type, type Static, type TObject, type TProperties, type TSchema } from './schema.ts';

/** What an operation acts within; decides what is looked up, and so what another organization's caller gets as 404. */
export type Scope =
  | 'user'
  | 'org'
  | 'collection'
  | 'space'
  | 'deleted-space'
  | 'change-request'
  | 'revision'
  | 'site'
  | 'hostname'
  | 'integration'
  | 'none';
/** The least a caller must be there. `member` is any member, guests too; `any` asks for no token. */
export type Level = 'any' | 'caller' | 'member' | 'read' | 'comment' | 'edit' | 'review' | 'create' | 'admin';
export type Access = `${Scope}.${Level}`;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
type Route = `${Method} /${string}`;
type ParamNames<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | ParamNames<Rest>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;
type ParamsOf<R extends Route> = { [Name in ParamNames<R>]: string };

/** What an operation answers with: success status and the schema of the body, none for an empty one. */
interface Returns<S extends TSchema | undefined = TSchema | undefined> {
  readonly status: number;
  readonly schema: S;
  /** The schema of one item, when the body is a listing `{ next, count, items }`. */
  readonly item?: TSchema;
  /** The answer is a file: its bytes go over HTTP as they are, not as JSON. */
  readonly file?: true;
}

/**
 * An extra flag: its value replaces "$" in the template, which is merged into the body. Where the template has "$key" too,
 * the value is written KEY=VALUE.
 */
export interface BodyFlag {
  readonly name: string;
  readonly value: string;
  readonly summary: string;
  readonly template: unknown;
  /** May be given several times: each adds to the lists of the template. */
  readonly repeatable?: true;
  /** Has a value if it is not given, so that errors and help do not name it as required. */
  readonly hasDefault?: true;
}

/** What the help of a noun says beside the list of its commands. Its contract exports it as `nounHelp`. */
export interface NounHelp {
  /** Paragraphs, separated by empty lines: what the thing is, and how it relates to others. */
  readonly description: string;
  readonly examples: readonly string[];
}

interface CommandHints {
  /** Path parameters or body fields given by position. Default: the last path parameter but organizationId. */
  readonly positional?: readonly string[];
  readonly examples?: readonly string[];
  readonly flags?: readonly BodyFlag[];
  /** Asks before it runs; a text says before the question what is lost. Default: every DELETE. */
  readonly destructive?: boolean | string;
  /** Asks before it runs if the callers themselves lose access by it. */
  readonly asksAboutOneself?: boolean;
  /** Refuses email addresses as names, because another command takes those. */
  readonly refusesEmails?: boolean;
  /** A hand-written command of the same words stands for it. */
  readonly composite?: boolean;
  readonly columns?: readonly string[];
  /** Values of query fields that the command sends unless an option gives another one. */
  readonly defaults?: Readonly<Record<string, string>>;
}

export interface Operation<
  R extends Route = Route,
  Q extends TProperties = TProperties,
  B extends TSchema | undefined = TSchema | undefined,
  O extends TSchema | undefined = TSchema | undefined,
  A extends Access = Access,
> {
  /** Dotted, and the words of its command: `sites.sections.add` is `docsctl sites sections add`. */
  readonly id: string;
  readonly route: R;
  readonly method: Method;
  /** Path under /v1 with `:name` parameters. */
  readonly path: string;
  readonly paramNames: readonly string[];
  readonly query: TObject<Q>;
  readonly body: B;
  readonly returns: Returns<O>;
  readonly access: A;
  readonly summary: string;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  /** The answer holds a secret: it is shown once and not kept for a repeated idempotency key. */
  readonly secret: boolean;
  /** Members need it before they can sign in with single sign-on. */
  readonly signInOptional: boolean;
  /** It changes nothing for anybody, though it is no GET: what it works on is too much for a query. */
  readonly safe: boolean;
  readonly cli: CommandHints;
}

interface Declaration<
  R extends Route,
  Q extends TProperties,
  B extends TSchema | undefined,
  O extends TSchema | undefined,
  A extends Access,
> {
  readonly id: string;
  readonly route: R;
  readonly access: A;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Q;
  readonly body?: B;
  readonly returns: Returns<O>;
  readonly deprecated?: boolean;
  readonly secret?: boolean;
  readonly signInOptional?: boolean;
  readonly safe?: boolean;
  readonly cli?: CommandHints;
}

/** Items on a page when `limit` is not given. */
export const defaultLimit = 50;

/** The query field `limit` of a list. `items` says what it counts. */
export function limitOf(items: string) {
  return Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1000,
      description: `number of ${items} in a page, up to 1000 (default: ${defaultLimit}); 0 returns only the count`,
    }),
  );
}

const paging = {
  page: Type.Optional(
    Type.String({
      maxLength: 2048,
      description: 'page to get: the value of next.page in the previous page (default: the first page)',
    }),
  ),
  limit: limitOf('items'),
};
type Paging = typeof paging;

/** Declares one operation of the API. Data only: its handler is the function of the same export name beside it. */
export function operation<
  const R extends Route,
  Q extends TProperties = {},
  B extends TSchema | undefined = undefined,
  O extends TSchema | undefined = undefined,
  const A extends Access = Access,
>(declaration: Declaration<R, Q, B, O, A>): Operation<R, Q & Paging, B, O, A> {
  const space = declaration.route.indexOf(' ');
  const path = declaration.route.slice(space + 1);
  const isList = declaration.returns.item !== undefined;
  return {
    id: declaration.id,
    route: declaration.route,
    method: declaration.route.slice(0, space) as Method,
    path,
    paramNames: path.match(/(?<=:)\w+/g) ?? [],
    query: closed({ ...(isList ? paging : {}), ...declaration.query }) as unknown as TObject<Q & Paging>,
    body: declaration.body as B,
    returns: declaration.returns,
    access: declaration.access,
    summary: declaration.summary,
    description: declaration.description,
    deprecated: declaration.deprecated ?? false,
    secret: declaration.secret ?? false,
    signInOptional: declaration.signInOptional ?? false,
    safe: declaration.safe ?? declaration.route.startsWith('GET '),
    cli: declaration.cli ?? {},
  };
}

/** Returns the most items that a page of a list may have. */
export function maxLimitOf({ query }: Operation): number {
  const { limit } = query.properties as { readonly limit?: { readonly maximum?: number } };
  return limit?.maximum ?? 1000;
}

/** Declares an answer with the status 200. */
export function ok<S extends TSchema>(schema: S): Returns<S> {
  return { status: 200, schema };
}

/** Declares an answer with the status 201. */
export function created<S extends TSchema>(schema: S): Returns<S> {
  return { status: 201, schema };
}

/** Declares an answer with the status 204 and no body. */
export function noContent(): Returns<undefined> {
  return { status: 204, schema: undefined };
}

/**
 * A file: callers get a FileAnswer, handlers may give its bytes as a function. For GET only, as nothing of it is
 * kept.
 */
export function file(): Returns<typeof FileSchema> {
  return { status: 200, schema: FileSchema, file: true };
}

/** A listing: `{ next?: { page }, count, items }`; `extra` are fields beside them. */
export function listOf<S extends TSchema, E extends TProperties = {}>(item: S, extra?: E) {
  const schema = closed({
    next: Type.Optional(closed({ page: Type.String() })),
    count: Type.Optional(Type.Integer({ minimum: 0 })),
    ...(extra as E),
    items: Type.Array(item),
  });
  return { status: 200, schema, item };
}

export interface InputOf<O extends Operation> {
  readonly params?: O extends Operation<infer R> ? ParamsOf<R> : never;
  readonly query?: Static<O['query']>;
  readonly body?: O['body'] extends TSchema ? Static<O['body']> : undefined;
}

/** What a handler is given: the same, checked and complete. */
export interface CheckedInput<O extends Operation> {
  readonly params: O extends Operation<infer R> ? ParamsOf<R> : never;
  readonly query: Static<O['query']>;
  readonly body: O['body'] extends TSchema ? Static<O['body']> : undefined;
}

/** The body of the answer, undefined where there is none. */
export type OutputOf<O extends Operation> = O['returns']['schema'] extends TSchema
  ? Static<O['returns']['schema']>
  : void;

/** An item of the list that an operation answers with. */
export type ItemOf<O extends Operation> = OutputOf<O> extends { items: (infer I)[] } ? I : never;

/** What a handler answers: the same, but a file may have its bytes made after the transaction. */
export type HandlerOutput<O extends Operation> = [OutputOf<O>] extends [FileAnswer]
  ? HandlerFile
  : OutputOf<O>;

/** Whether an export of a contract module is an operation. */
export function isOperation(value: unknown): value is Operation {
  return typeof value === 'object' && value !== null && 'route' in value && 'returns' in value;
}

/** The values of the parameters in a path, by their names. */
export type PathParams = Readonly<Record<string, string>>;
