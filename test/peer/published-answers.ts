import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { GitBookAPI, type GitBookAPIError } from '@gitbook/api';
import { Errors } from 'typebox/schema';
import { createIds } from '../../src/core/ids.ts';
import { createServer } from '../../src/server/index.ts';
import { createWorld, type Who, type World } from '../support/world.ts';

interface PublishedOperation {
  readonly operationId: string;
  readonly responses: Record<string, { $ref?: string; content?: Record<string, { schema?: object }> }>;
}
interface Specification {
  readonly paths: Record<string, Record<string, PublishedOperation>>;
  readonly components: { readonly schemas: Record<string, object> };
}

/** A violation of the published specification of the client in an answer. */
export interface Fault {
  readonly operationId: string;
  readonly fault: string;
}

export interface Peer {
  readonly world: World;
  /** The unmodified client, signed in as a user. */
  readonly as: (who: Exclude<Who, 'nobody' | 'owner'>) => GitBookAPI;
  /** The violations in the answers so far, each once. */
  readonly faults: () => readonly Fault[];
  /** The operations that succeeded. */
  readonly answered: () => ReadonlySet<string>;
  /** Returns the violations of the published schema with this name in a value. */
  readonly against: (schema: string, value: unknown) => readonly string[];
  readonly stop: () => Promise<void>;
}

// OpenAPI 3.0 allows null with a flag next to the type.
const specification: Specification = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@gitbook/api/spec/openapi.json'), 'utf8'),
  (_, value) => {
    if (value?.nullable !== true) return value;
    const { nullable: _nullable, ...rest } = value;
    return { anyOf: [rest, { type: 'null' }] };
  },
);

// Where the API document has IDs (Link and backlink items), this client version has whole objects: the document takes precedence.
for (const [name, schema] of Object.entries(specification.components.schemas)) {
  if (!/^ContentLocation[A-Z]/.test(name) || !('properties' in schema)) continue;
  const properties = schema.properties as Record<string, object>;
  for (const [field, type] of Object.entries(properties))
    if ('$ref' in type) properties[field] = { anyOf: [{ type: 'string' }, type] };
}

/** Starts a server on a small world, and checks every answer to a client against the published specification. */
export async function startPeer(): Promise<Peer> {
  const world = await createWorld();
  const server = await createServer({
    core: world.core,
    version: '0.0.0-test',
    newRequestId: () => createIds(Date.now, Math.random)('req'),
  });
  const { url } = await server.listen({ host: '127.0.0.1', port: 0 });
  const faults = new Map<string, Fault>();
  const answered = new Set<string>();
  const judge = (method: string, at: string, status: number, body: unknown): void => {
    const operation = operationAt(method, at);
    if (operation === undefined) throw new Error(`${method} ${at} is not published`);
    const { operationId, responses } = operation;
    const note = (fault: string): void => void faults.set(`${operationId} ${fault}`, { operationId, fault });
    const response = responses[status];
    if (status < 300) answered.add(operationId);
    if (status < 300 && response === undefined) note(`status ${status} is not published`);
    const schema = response?.content?.['application/json']?.schema;
    if (schema === undefined) return;
    for (const fault of faultsOf(schema, body)) note(fault);
  };
  const fetchAndJudge: typeof fetch = async (input, init) => {
    const response = await fetch(input, init);
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const text = isJson ? await response.clone().text() : '';
    judge(
      init?.method ?? 'GET',
      new URL(String(input)).pathname.slice('/v1'.length),
      response.status,
      text === '' ? undefined : JSON.parse(text),
    );
    return response;
  };
  return {
    world,
    as: (who) =>
      new GitBookAPI({
        endpoint: url,
        authToken: world.token(who),
        serviceBinding: { fetch: fetchAndJudge },
      }),
    faults: () => [...faults.values()],
    answered: () => answered,
    against: (schema, value) => faultsOf({ $ref: `#/components/schemas/${schema}` }, value),
    stop: () => server.close(1000),
  };
}

/** Returns the published operation of a path. One with more fixed segments takes precedence. */
function operationAt(method: string, at: string): PublishedOperation | undefined {
  const words = at.split('/');
  const fitting = Object.keys(specification.paths).filter((path) => {
    const parts = path.split('/');
    return (
      parts.length === words.length &&
      parts.every((part, index) => part.startsWith('{') || part === words[index])
    );
  });
  fitting.sort((one, other) => one.split('{').length - other.split('{').length);
  return fitting
    .map((path) => specification.paths[path]![method.toLowerCase()])
    .find((operation) => operation !== undefined);
}

// The schema names its draft: otherwise typebox searches all components at each $ref. Compiling takes longer than these answers.
const whole = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  components: specification.components,
};

function faultsOf(schema: object, value: unknown): string[] {
  const [, errors] = Errors(
    { ...whole, ...('$ref' in schema ? { allOf: [schema] } : schema) } as never,
    value,
  );
  return [
    ...new Set(
      errors.map(({ instancePath, message }) => `${instancePath.replaceAll(/\/\d+/g, '/*')} ${message}`),
    ),
  ];
}

/** Returns the error that the client throws for a refused request. */
export function refusal(work: Promise<unknown>): Promise<GitBookAPIError> {
  return work.then(
    () => Promise.reject(new Error('was not refused')),
    (error: GitBookAPIError) => error,
  );
}
