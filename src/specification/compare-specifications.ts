import { isRecord } from '../contract/values.ts';
import { compareSchemas, sharedName, type Direction } from './compare-schemas.ts';
import {
  asRecord,
  isSwagger,
  listOperations,
  toText,
  walkSpecification,
  type OperationEntry,
} from './specification-tree.ts';
import { parametersOf, serversOf, swaggerBody, swaggerContent } from './view-operation.ts';
import { SchemaViewer } from './view-schema.ts';

type Fields = Record<string, unknown>;

/** A difference of two versions of a specification. */
export interface SpecificationChange {
  readonly change: 'added' | 'removed' | 'changed';
  readonly kind: 'operation' | 'webhook' | 'schema' | 'server';
  /** What has changed: `GET /pets`, the name of a webhook or schema, or the address of a server. */
  readonly name: string;
  /** Where in it, such as `query parameter limit` or `response 200 application/json owner.name`; empty for all of it. */
  readonly part: string;
  /** Whether clients of the earlier version can fail with the later one. */
  readonly breaking: boolean;
  readonly message: string;
}

interface Side {
  readonly root: Fields;
  readonly viewer: SchemaViewer;
}

/** Receives a difference of an operation or schema. */
type Report = (
  part: string,
  breaking: boolean,
  message: string,
  change?: SpecificationChange['change'],
) => void;

/**
 * Compares two valid specifications: operations, webhooks, shared schemas and servers. Breaking changes come first.
 * Descriptions, examples and extensions are not compared.
 */
export function compareSpecifications(before: Fields, after: Fields): SpecificationChange[] {
  const old = { root: before, viewer: new SchemaViewer(before) };
  const now = { root: after, viewer: new SchemaViewer(after) };
  const changes = [
    ...compareServers(old, now),
    ...compareOperations(old, now, 'paths'),
    ...compareOperations(old, now, 'webhooks'),
    ...compareSharedSchemas(old, now),
  ];
  return changes.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
}

function compareServers(old: Side, now: Side): SpecificationChange[] {
  const [from, to] = [old, now].map(({ root }) => serversOf(root));
  const changeOf = (change: 'added' | 'removed', name: string): SpecificationChange => ({
    change,
    kind: 'server',
    name,
    part: '',
    breaking: change === 'removed',
    message: change,
  });
  return [
    ...from!.filter((url) => !to!.includes(url)).map((url) => changeOf('removed', url)),
    ...to!.filter((url) => !from!.includes(url)).map((url) => changeOf('added', url)),
  ];
}

function compareOperations(old: Side, now: Side, field: 'paths' | 'webhooks'): SpecificationChange[] {
  const isWebhook = field === 'webhooks';
  const kind = isWebhook ? 'webhook' : 'operation';
  const keyed = ({ root }: Side): Map<string, OperationEntry> =>
    new Map(listOperations(root, field).map((entry) => [keyOf(entry), entry]));
  const [from, to] = [keyed(old), keyed(now)];
  const changes: SpecificationChange[] = [];
  for (const key of new Set([...from.keys(), ...to.keys()])) {
    const [was, is] = [from.get(key), to.get(key)];
    const { method, path } = (is ?? was)!;
    const name = `${method.toUpperCase()} ${path}`;
    const report: Report = (part, breaking, message, change = 'changed') =>
      changes.push({ change, kind, name, part, breaking, message });
    if (was === undefined) report('', false, 'added', 'added');
    else if (is === undefined) report('', true, 'removed', 'removed');
    else compareOperation([old, was], [now, is], field, report);
  }
  return changes;
}

/** What makes an operation the same one: the method and the path, whatever its parameters are called. */
function keyOf({ method, path }: OperationEntry): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}

type Compared = readonly [side: Side, entry: OperationEntry];

function compareOperation(
  before: Compared,
  after: Compared,
  field: 'paths' | 'webhooks',
  report: Report,
): void {
  const [[old, was], [now, is]] = [before, after];
  const viewers = { before: old.viewer, after: now.viewer };
  // A webhook is a request of the API to the client.
  const sent: Direction = { inRequests: field === 'paths', inResponses: field === 'webhooks' };
  const received: Direction = { inRequests: sent.inResponses, inResponses: sent.inRequests };
  const reportSchemas = (part: string, from: unknown, to: unknown, direction: Direction): void => {
    for (const { change, path, isBreaking, message } of compareSchemas(from, to, viewers, direction))
      report(path === '' ? part : `${part} ${path}`, isBreaking, message, change);
    const [name, other] = [sharedName(from), sharedName(to)];
    if (name !== other && (name !== undefined || other !== undefined))
      report(part, false, `schema: ${name ?? 'without a name'} → ${other ?? 'without a name'}`);
  };
  compareWords(was.operation, is.operation, report);
  compareSecurity(securityOf(old, was.operation), securityOf(now, is.operation), report);
  compareParameters([parametersIn(before), parametersIn(after)], report, (part, from, to) =>
    reportSchemas(part, from, to, sent),
  );
  compareBodies(bodyOf(before, field), bodyOf(after, field), report, (part, from, to) =>
    reportSchemas(part, from, to, sent),
  );
  const [responses, others] = [responsesOf(before), responsesOf(after)];
  for (const status of new Set([...responses.keys(), ...others.keys()])) {
    const part = `response ${status}`;
    const [from, to] = [responses.get(status), others.get(status)];
    if (from === undefined) report(part, false, 'added', 'added');
    else if (to === undefined) report(part, !/^[45]/.test(status), 'removed', 'removed');
    else {
      compareContents(part, from.content, to.content, report, (inside, one, other) =>
        reportSchemas(inside, one, other, received),
      );
      for (const [name] of Object.entries(from.headers))
        if (!Object.hasOwn(to.headers, name)) report(`${part} header ${name}`, true, 'removed', 'removed');
      for (const [name] of Object.entries(to.headers))
        if (!Object.hasOwn(from.headers, name)) report(`${part} header ${name}`, false, 'added', 'added');
    }
  }
}

function compareWords(was: Fields, is: Fields, report: Report): void {
  const [old, now] = [was['deprecated'] === true, is['deprecated'] === true];
  if (old !== now) report('', false, now ? 'is deprecated now' : 'is no longer deprecated');
  const [from, to] = [toText(was['operationId']), toText(is['operationId'])];
  if (from !== to) report('', false, `operationId: ${from || 'none'} → ${to || 'none'}`);
}

/** The ways to be admitted: of each, all schemes with their scopes are needed. */
type Alternatives = readonly ReadonlyMap<string, readonly string[]>[];

function securityOf({ root }: Side, operation: Fields): Alternatives {
  const stated = operation['security'] ?? root['security'];
  const list = Array.isArray(stated) ? stated.filter(isRecord) : [];
  const all = list.map(
    (each) =>
      new Map(
        Object.entries(each).map(([name, scopes]) => [
          name,
          Array.isArray(scopes) ? scopes.map(toText).sort() : [],
        ]),
      ),
  );
  return all.length === 0 ? [new Map()] : all;
}

function compareSecurity(from: Alternatives, to: Alternatives, report: Report): void {
  const [old, now] = [describeSecurity(from), describeSecurity(to)];
  if (old === now) return;
  const isAdmitted = (given: Alternatives[number]): boolean =>
    to.some((needed) =>
      [...needed].every(
        ([name, scopes]) => scopes.every((scope) => given.get(name)?.includes(scope)) && given.has(name),
      ),
    );
  report('security', !from.every(isAdmitted), `${old} → ${now}`);
}

function describeSecurity(alternatives: Alternatives): string {
  const describe = ([name, scopes]: readonly [string, readonly string[]]): string =>
    scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`;
  return alternatives.map((each) => [...each].map(describe).join(' and ') || 'none').join(' or ');
}

type CompareSchema = (part: string, from: unknown, to: unknown) => void;

function compareParameters(
  [from, to]: readonly [ReadonlyMap<string, Fields>, ReadonlyMap<string, Fields>],
  report: Report,
  compare: CompareSchema,
): void {
  for (const key of new Set([...from.keys(), ...to.keys()])) {
    const [was, is] = [from.get(key), to.get(key)];
    const named = (is ?? was)!;
    const part = `${toText(named['in'])} parameter ${toText(named['name'])}`;
    const isRequired = is?.['required'] === true;
    if (was === undefined) {
      report(part, isRequired, isRequired ? 'added, required' : 'added', 'added');
      continue;
    }
    if (is === undefined) {
      report(part, true, 'removed', 'removed');
      continue;
    }
    if (toText(was['name']) !== toText(is['name']) && was['in'] === 'path')
      report(part, false, `name: ${toText(was['name'])} → ${toText(is['name'])}`);
    if (isRequired && was['required'] !== true) report(part, true, 'is required now');
    if (!isRequired && was['required'] === true) report(part, false, 'is no longer required');
    if (is['deprecated'] === true && was['deprecated'] !== true) report(part, false, 'is deprecated now');
    for (const field of ['style', 'explode', 'collectionFormat'])
      if (was[field] !== is[field])
        report(
          part,
          true,
          `${field}: ${String(was[field] ?? 'default')} → ${String(is[field] ?? 'default')}`,
        );
    compare(part, schemaOf(was), schemaOf(is));
  }
}

/** The parameters but for those of the body. Those of the path are told apart by their place in it. */
function parametersIn([{ root, viewer }, { path, operation }]: Compared): Map<string, Fields> {
  const item = viewer.resolve(asRecord(root['paths'])[path]);
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parametersOf(viewer, item, operation)
      .filter((each) => each['in'] !== 'body' && each['in'] !== 'formData')
      .map((each) => {
        const [place, name] = [toText(each['in']), toText(each['name'])];
        if (place === 'path' && inPath.includes(name)) return [`path ${inPath.indexOf(name)}`, each];
        return [`${place} ${place === 'header' ? name.toLowerCase() : name}`, each];
      }),
  );
}

function schemaOf({ schema, content, ...own }: Fields): unknown {
  const [first] = Object.values(asRecord(content));
  if (schema !== undefined || first !== undefined) return schema ?? asRecord(first)['schema'];
  // In Swagger 2 the type stands beside the name, and `required` there is not a list.
  const { required: _required, deprecated: _deprecated, ...rest } = own;
  return rest;
}

function bodyOf([{ root, viewer }, { path, operation }]: Compared, field: 'paths' | 'webhooks'): Fields {
  const item = viewer.resolve(asRecord(root[field])[path]);
  return isSwagger(root)
    ? swaggerBody(root, operation, parametersOf(viewer, item, operation))
    : viewer.resolve(operation['requestBody']);
}

function compareBodies(from: Fields, to: Fields, report: Report, compare: CompareSchema): void {
  const [had, has] = [from, to].map((body) => Object.keys(body).length > 0);
  const isRequired = to['required'] === true;
  if (!had && !has) return;
  if (!had) return report('body', isRequired, isRequired ? 'added, required' : 'added', 'added');
  if (!has) return report('body', true, 'removed', 'removed');
  if (isRequired && from['required'] !== true) report('body', true, 'is required now');
  if (!isRequired && from['required'] === true) report('body', false, 'is no longer required');
  compareContents('body', asRecord(from['content']), asRecord(to['content']), report, compare);
}

function compareContents(
  part: string,
  from: Fields,
  to: Fields,
  report: Report,
  compare: CompareSchema,
): void {
  for (const type of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const inside = `${part} ${type}`;
    if (!Object.hasOwn(from, type)) report(inside, false, 'added', 'added');
    else if (!Object.hasOwn(to, type)) report(inside, true, 'removed', 'removed');
    else compare(inside, asRecord(from[type])['schema'] ?? true, asRecord(to[type])['schema'] ?? true);
  }
}

interface ResponseParts {
  readonly content: Fields;
  readonly headers: Fields;
}

function responsesOf([{ root, viewer }, { operation }]: Compared): Map<string, ResponseParts> {
  return new Map(
    Object.entries(asRecord(operation['responses'])).map(([status, given]) => {
      const { content, headers, schema } = viewer.resolve(given);
      const own = isSwagger(root) && schema !== undefined ? swaggerContent(root, operation, schema) : content;
      return [status, { content: asRecord(own), headers: asRecord(headers) }];
    }),
  );
}

function compareSharedSchemas(old: Side, now: Side): SpecificationChange[] {
  const [from, to] = [old, now].map(({ root }) =>
    asRecord(asRecord(root['components'])['schemas'] ?? root['definitions']),
  ) as [Fields, Fields];
  const [uses, others] = [usesOf(old.root), usesOf(now.root)];
  const viewers = { before: old.viewer, after: now.viewer };
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name): SpecificationChange[] => {
    const base = { kind: 'schema', name } as const;
    const isOld = Object.hasOwn(from, name);
    // Operations that used a schema that was removed or added are reported by themselves.
    if (isOld !== Object.hasOwn(to, name)) {
      const change = isOld ? 'removed' : 'added';
      return [{ ...base, change, part: '', breaking: false, message: change }];
    }
    const [one, other] = [uses.get(name), others.get(name)];
    const direction = {
      inRequests: one?.inRequests === true || other?.inRequests === true,
      inResponses: one?.inResponses === true || other?.inResponses === true,
    };
    // A schema that is only a reference to another is compared there.
    return compareSchemas(from[name], to[name], viewers, direction).map(
      ({ change, path, isBreaking, message }) => ({
        ...base,
        change,
        part: path,
        breaking: isBreaking,
        message,
      }),
    );
  });
}

/** Finds for each shared schema whether requests or responses of operations contain it, also through other schemas. */
function usesOf(root: Fields): Map<string, Direction> {
  const uses = new Map<string, { inRequests: boolean; inResponses: boolean }>();
  const shared = asRecord(asRecord(root['components'])['schemas'] ?? root['definitions']);
  const viewer = new SchemaViewer(root);
  const visit = (node: unknown, direction: keyof Direction, seen: Set<unknown>): void => {
    walkSpecification(node, (each) => {
      const { $ref: target } = each;
      if (typeof target !== 'string') return;
      const name = sharedName(each);
      if (name === undefined) {
        if (!seen.has(target)) visit({ schema: viewer.resolve(each) }, direction, seen.add(target));
        return;
      }
      const known = uses.get(name) ?? { inRequests: false, inResponses: false };
      uses.set(name, known);
      if (known[direction]) return;
      known[direction] = true;
      visit({ schema: shared[name] }, direction, seen);
    });
  };
  for (const field of ['paths', 'webhooks'] as const) {
    const isWebhook = field === 'webhooks';
    for (const { path, operation } of listOperations(root, field)) {
      const item = viewer.resolve(asRecord(root[field])[path]);
      const { responses, callbacks, ...sent } = operation;
      const [request, response] = isWebhook
        ? (['inResponses', 'inRequests'] as const)
        : (['inRequests', 'inResponses'] as const);
      visit({ ...sent, pathItems: { item: { parameters: item['parameters'] } } }, request, new Set());
      visit({ responses }, response, new Set());
      // What a callback sends comes from the API, like a response.
      visit({ callbacks }, response, new Set());
    }
  }
  return uses;
}
