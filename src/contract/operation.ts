import { isObject } from './values.ts';
import { FileSchema, type FileAnswer, type HandlerFile } from './file.ts';
import { closed, Type, type Static, type TObject, type TProperties, type TSchema } from './schema.ts';

/**
 * The resource to which an operation applies. It is looked up before the handler runs, and callers of other organizations get a
 * 404 for it.
 */
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
/** The minimum role of the caller on the scope. `member` is any member, including guests; `any` needs no token. */
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

/** The answer of an operation: its success status and the schema of the body; no schema for an empty body. */
interface Returns<S extends TSchema | undefined = TSchema | undefined> {
  readonly status: number;
  readonly schema: S;
  /** The schema of one item, if the body is a list `{ next, count, items }`. */
  readonly item?: TSchema;
  /** The answer is a file: HTTP transfers its bytes unchanged, not as JSON. */
  readonly file?: true;
}

/**
 * An additional flag. Its value replaces "$" in the template, which is merged into the body. If the template also contains
 * "$key", the value has the form KEY=VALUE.
 */
export interface BodyFlag {
  readonly name: string;
  readonly value: string;
  readonly summary: string;
  readonly template: unknown;
  /** The flag may be repeated. Each value adds to the lists of the template. */
  readonly repeatable?: true;
  /** The field has a default, so errors and help do not call it required. */
  readonly hasDefault?: true;
}

/** Additional text for the help of a noun. Its contract exports it as `nounHelp`. */
export interface NounHelp {
  /** Paragraphs, separated by empty lines, that explain the resource and its relations to others. */
  readonly description: string;
  readonly examples: readonly string[];
}

/** Returns the scope and the level of an operation's access. */
export function splitAccess(access: Access): readonly [Scope, Level] {
  const dot = access.lastIndexOf('.');
  return [access.slice(0, dot) as Scope, access.slice(dot + 1) as Level];
}

interface CommandHints {
  /** Path parameters or body fields that are positional arguments. Default: the last path parameter, except organizationId. */
  readonly positional?: readonly string[];
  /** Whether the positional argument takes several words. Default: true if it can. */
  readonly several?: false;
  readonly examples?: readonly string[];
  readonly flags?: readonly BodyFlag[];
  /** Whether to ask for confirmation. A text is shown before the question, and says what is lost. Default: true for DELETE. */
  readonly destructive?: boolean | string;
  /** Whether to ask for confirmation if the callers would lose their own access. */
  readonly asksAboutOneself?: boolean;
  /** Whether to reject email addresses as names, because another command accepts them. */
  readonly refusesEmails?: boolean;
  /** Whether a hand-written command with the same words replaces the generated one. */
  readonly composite?: boolean;
  readonly columns?: readonly string[];
  /** Default values of query fields for the command, unless an option sets them. */
  readonly defaults?: Readonly<Record<string, string>>;
}

export interface Operation<
  R extends Route = Route,
  Q extends TProperties = TProperties,
  B extends TSchema | undefined = TSchema | undefined,
  O extends TSchema | undefined = TSchema | undefined,
  A extends Access = Access,
> {
  /** Dotted words of its command: `sites.sections.add` is `docsctl sites sections add`. */
  readonly id: string;
  readonly route: R;
  readonly method: Method;
  /** The path under /v1, with `:name` parameters. */
  readonly path: string;
  readonly paramNames: readonly string[];
  readonly query: TObject<Q>;
  readonly body: B;
  readonly returns: Returns<O>;
  readonly access: A;
  readonly summary: string;
  readonly description: string | undefined;
  readonly deprecated: boolean;
  /** Whether the answer contains a secret. It is shown once, and not stored for a repeated idempotency key. */
  readonly secret: boolean;
  /** Whether members can call it before they sign in with single sign-on. */
  readonly signInOptional: boolean;
  /** Whether it changes nothing, although it is not a GET, because its input is too large for a query. */
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

/** Default number of items on a page. */
export const defaultLimit = 50;

/** Returns the query field `limit` of a list. `items` names the items. */
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

/** Declares one operation of the API. It contains only data: its handler is exported under the same name from `handlers.ts`. */
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

/** Returns the maximum number of items on a page of a list. */
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
 * Declares a file as the answer: callers get a FileAnswer, handlers may return its bytes as a function. Only for GET, because the
 * answer is not stored for idempotency.
 */
export function file(): Returns<typeof FileSchema> {
  return { status: 200, schema: FileSchema, file: true };
}

/** Declares a list: `{ next?: { page }, count, items }`; `extra` are additional fields. */
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

/** The input of a handler: checked and complete. */
export interface CheckedInput<O extends Operation> {
  readonly params: O extends Operation<infer R> ? ParamsOf<R> : never;
  readonly query: Static<O['query']>;
  readonly body: O['body'] extends TSchema ? Static<O['body']> : undefined;
}

/** The body of the answer; undefined if it has none. */
export type OutputOf<O extends Operation> = O['returns']['schema'] extends TSchema
  ? Static<O['returns']['schema']>
  : void;

/** An item of a list in an answer. */
export type ItemOf<O extends Operation> = OutputOf<O> extends { items: (infer I)[] } ? I : never;

/** The return value of a handler: the body of the answer. The bytes of a file may be created after the transaction. */
export type HandlerOutput<O extends Operation> = [OutputOf<O>] extends [FileAnswer]
  ? HandlerFile
  : OutputOf<O>;

/** Whether an export of a contract module is an operation. */
export function isOperation(value: unknown): value is Operation {
  return isObject(value) && 'route' in value && 'returns' in value;
}

/** The values of the path parameters, by name. */
export type PathParams = Readonly<Record<string, string>>;
