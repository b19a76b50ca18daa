import { compareSchemas, sharedName, type Direction } from './compare-schemas.ts';
import { getOrInsert, recordOf } from '../contract/values.ts';
import {
  isSwagger,
  listOperations,
  type OperationEntry,
  schemasOf,
  toText,
  walkSpecification,
} from './specification-tree.ts';
import { compareSchemes, compareSecurity } from './compare-security.ts';
import { compareServers } from './compare-servers.ts';
import type { Report, Side, SpecificationChange } from './specification-change.ts';
import { swaggerBody, swaggerContent } from './swagger-bodies.ts';
import { parametersOf } from './view-operation.ts';
import { SchemaViewer } from './view-schema.ts';

type Fields = Record<string, unknown>;

/**
 * Compares two valid specifications: operations, webhooks, shared schemas, security schemes and servers. Breaking changes come
 * first. Descriptions, examples and extensions are not compared.
 */
export function compareSpecifications(before: Fields, after: Fields): SpecificationChange[] {
  const old = { root: before, viewer: new SchemaViewer(before) };
  const now = { root: after, viewer: new SchemaViewer(after) };
  const changes = [
    ...compareServers(old, now),
    ...compareOperations(old, now, 'paths'),
    ...compareOperations(old, now, 'webhooks'),
    ...compareSharedSchemas(old, now),
    ...compareSchemes(old, now),
  ];
  return changes.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
}

function compareOperations(old: Side, now: Side, field: 'paths' | 'webhooks'): SpecificationChange[] {
  const isWebhook = field === 'webhooks';
  const kind = isWebhook ? 'webhook' : 'operation';
  const keyed = (side: Side): Map<string, Compared> =>
    new Map(
      listOperations(side.root, field).map((entry) => {
        const item = side.viewer.resolve(recordOf(side.root[field])[entry.path]);
        return [keyOf(entry), { ...side, ...entry, item }];
      }),
    );
  const [from, to] = [keyed(old), keyed(now)];
  const changes: SpecificationChange[] = [];
  for (const key of new Set([...from.keys(), ...to.keys()])) {
    const [was, is] = [from.get(key), to.get(key)];
    const { method, path } = (is ?? was)!;
    const name = `${method.toUpperCase()} ${path}`;
    const report: Report = (part, breaking, message, change = 'changed') =>
      changes.push({ change, kind, name, part, breaking, message });
    compareOperation(was, is, isWebhook, report);
    if (was === undefined || is === undefined) continue;
    const [callbacks, others] = [callbacksOf(was), callbacksOf(is)];
    for (const part of new Set([...callbacks.keys(), ...others.keys()]))
      compareOperation(callbacks.get(part), others.get(part), !isWebhook, (inside, ...rest) =>
        report(inside === '' ? part : `${part} ${inside}`, ...rest),
      );
  }
  return changes;
}

/** Returns the identity of an operation: its method and its path without the names of parameters. */
function keyOf({ method, path }: OperationEntry): string {
  return `${method} ${path.replace(/\{[^{}]*\}/g, '{}')}`;
}

/** An operation of a path, a webhook or a callback, with its path item. */
interface Compared extends Side, OperationEntry {
  readonly item: Fields;
}

/** Returns the operations of the callbacks of an operation, by their places in it. Nested callbacks are left out. */
function callbacksOf({ root, viewer, operation }: Compared): Map<string, Compared> {
  const callbacks = Object.entries(recordOf(operation['callbacks'])).flatMap(([name, callback]) =>
    listOperations({ ...root, callback: viewer.resolve(callback) }, 'callback').map(
      (entry): [string, Compared] => {
        const item = viewer.resolve(recordOf(viewer.resolve(callback))[entry.path]);
        const place = `callback ${name} ${entry.method.toUpperCase()} ${entry.path}`;
        return [place, { root, viewer, ...entry, item }];
      },
    ),
  );
  return new Map(callbacks);
}

/** Compares an operation. `isReceived` means that the client receives its request, because it is a webhook or callback. */
function compareOperation(
  was: Compared | undefined,
  is: Compared | undefined,
  isReceived: boolean,
  report: Report,
): void {
  if (is === undefined) return report('', true, 'removed', 'removed');
  if (was === undefined) return report('', false, 'added', 'added');
  const viewers = { before: was.viewer, after: is.viewer };
  const compareIn =
    (direction: Direction): CompareSchema =>
    (part, from, to) => {
      for (const { change, path, isBreaking, message } of compareSchemas(from, to, viewers, direction))
        report(path === '' ? part : `${part} ${path}`, isBreaking, message, change);
      const [name, other] = [sharedName(from), sharedName(to)];
      if (name !== other && (name !== undefined || other !== undefined))
        report(part, false, `schema: ${name ?? 'without a name'} → ${other ?? 'without a name'}`);
    };
  const inRequest = compareIn({ inRequests: !isReceived, inResponses: isReceived });
  const inResponse = compareIn({ inRequests: isReceived, inResponses: !isReceived });
  compareWords(was.operation, is.operation, report);
  if (!isReceived) compareSecurity(was, is, report);
  compareParameters(parametersIn(was), parametersIn(is), isReceived, report, inRequest);
  compareBodies(bodyOf(was), bodyOf(is), isReceived, report, inRequest);
  const [responses, others] = [responsesOf(was), responsesOf(is)];
  for (const status of new Set([...responses.keys(), ...others.keys()])) {
    const part = `response ${status}`;
    const [from, to] = [responses.get(status), others.get(status)];
    if (from === undefined) report(part, false, 'added', 'added');
    else if (to === undefined) report(part, !/^[45]/.test(status), 'removed', 'removed');
    else {
      compareContents(part, from.content, to.content, report, inResponse);
      const named = (place: string) => `${part} ${place}`;
      compareParameters(
        from.headers,
        to.headers,
        !isReceived,
        (place, ...rest) => report(named(place), ...rest),
        (place, ...schemas) => inResponse(named(place), ...schemas),
      );
    }
  }
}

function compareWords(was: Fields, is: Fields, report: Report): void {
  const [old, now] = [was['deprecated'] === true, is['deprecated'] === true];
  if (old !== now) report('', false, now ? 'is deprecated now' : 'is no longer deprecated');
  const [from, to] = [toText(was['operationId']), toText(is['operationId'])];
  if (from !== to) report('', false, `operationId: ${from || 'none'} → ${to || 'none'}`);
}

type CompareSchema = (part: string, from: unknown, to: unknown) => void;

/** Compares parameters, or the headers of a response, by their places. With `isReceived`, the client receives them. */
function compareParameters(
  from: ReadonlyMap<string, Parameter>,
  to: ReadonlyMap<string, Parameter>,
  isReceived: boolean,
  report: Report,
  compare: CompareSchema,
): void {
  for (const key of new Set([...from.keys(), ...to.keys()])) {
    const [old, now] = [from.get(key), to.get(key)];
    const { part } = (now ?? old)!;
    const [was, is] = [old?.fields, now?.fields];
    const isRequired = is?.['required'] === true;
    if (was === undefined) {
      report(part, isRequired && !isReceived, isRequired ? 'added, required' : 'added', 'added');
      continue;
    }
    if (is === undefined) {
      report(part, true, 'removed', 'removed');
      continue;
    }
    if (toText(was['name']) !== toText(is['name']) && was['in'] === 'path')
      report(part, false, `name: ${toText(was['name'])} → ${toText(is['name'])}`);
    compareRequired(part, was, is, isReceived, report);
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

/** Compares whether a parameter, body or header is required: in the client's requests, or in what the API sends. */
function compareRequired(part: string, was: Fields, is: Fields, isReceived: boolean, report: Report): void {
  const [old, now] = [was['required'] === true, is['required'] === true];
  if (old !== now) report(part, now !== isReceived, now ? 'is required now' : 'is no longer required');
}

interface Parameter {
  readonly part: string;
  readonly fields: Fields;
}

/** Returns the parameters except those of the body. Path parameters are identified by their position in the path. */
function parametersIn({ viewer, path, item, operation }: Compared): Map<string, Parameter> {
  const inPath = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, name]) => name);
  return new Map(
    parametersOf(viewer, item, operation)
      .filter((each) => each['in'] !== 'body' && each['in'] !== 'formData')
      .map((fields) => {
        const [place, name] = [toText(fields['in']), toText(fields['name'])];
        const parameter = { part: `${place} parameter ${name}`, fields };
        if (place === 'path' && inPath.includes(name)) return [`path ${inPath.indexOf(name)}`, parameter];
        return [`${place} ${place === 'header' ? name.toLowerCase() : name}`, parameter];
      }),
  );
}

/** Returns the headers of a response by name. Names differ in more than case. */
function headersOf(viewer: SchemaViewer, headers: unknown): Map<string, Parameter> {
  return new Map(
    Object.entries(recordOf(headers)).map(([name, header]) => [
      name.toLowerCase(),
      { part: `header ${name}`, fields: viewer.resolve(header) },
    ]),
  );
}

function schemaOf({ schema, content, ...own }: Fields): unknown {
  const [first] = Object.values(recordOf(content));
  if (schema !== undefined || first !== undefined) return schema ?? recordOf(first)['schema'];
  // In Swagger 2, the type is next to the name, and `required` is not a list.
  const { required: _required, deprecated: _deprecated, ...rest } = own;
  return rest;
}

function bodyOf({ root, viewer, item, operation }: Compared): Fields {
  return isSwagger(root)
    ? swaggerBody(root, operation, parametersOf(viewer, item, operation))
    : viewer.resolve(operation['requestBody']);
}

function compareBodies(
  from: Fields,
  to: Fields,
  isReceived: boolean,
  report: Report,
  compare: CompareSchema,
): void {
  const [had, has] = [from, to].map((body) => Object.keys(body).length > 0);
  const isRequired = to['required'] === true;
  if (!had && !has) return;
  if (!had)
    return report('body', isRequired && !isReceived, isRequired ? 'added, required' : 'added', 'added');
  if (!has) return report('body', true, 'removed', 'removed');
  compareRequired('body', from, to, isReceived, report);
  compareContents('body', recordOf(from['content']), recordOf(to['content']), report, compare);
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
    else compare(inside, recordOf(from[type])['schema'] ?? true, recordOf(to[type])['schema'] ?? true);
  }
}

interface ResponseParts {
  readonly content: Fields;
  readonly headers: ReadonlyMap<string, Parameter>;
}

function responsesOf({ root, viewer, operation }: Compared): Map<string, ResponseParts> {
  return new Map(
    Object.entries(recordOf(operation['responses'])).map(([status, given]) => {
      const { content, headers, schema } = viewer.resolve(given);
      const own = isSwagger(root) && schema !== undefined ? swaggerContent(root, operation, schema) : content;
      return [status, { content: recordOf(own), headers: headersOf(viewer, headers) }];
    }),
  );
}

function compareSharedSchemas(old: Side, now: Side): SpecificationChange[] {
  const [from, to] = [old, now].map(({ root }) => schemasOf(root)) as [Fields, Fields];
  const [uses, others] = [usesOf(old.root), usesOf(now.root)];
  const viewers = { before: old.viewer, after: now.viewer };
  return [...new Set([...Object.keys(from), ...Object.keys(to)])].flatMap((name): SpecificationChange[] => {
    const base = { kind: 'schema', name } as const;
    const isOld = Object.hasOwn(from, name);
    // Operations that use a removed or added schema are reported separately.
    if (isOld !== Object.hasOwn(to, name)) {
      const change = isOld ? 'removed' : 'added';
      return [{ ...base, change, part: '', breaking: false, message: change }];
    }
    const [one, other] = [uses.get(name), others.get(name)];
    const direction = {
      inRequests: one?.inRequests === true || other?.inRequests === true,
      inResponses: one?.inResponses === true || other?.inResponses === true,
    };
    // A schema that only refers to another one is compared there.
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

/** Returns for each shared schema whether requests or responses of operations contain it, directly or through other schemas. */
function usesOf(root: Fields): Map<string, Direction> {
  const uses = new Map<string, { inRequests: boolean; inResponses: boolean }>();
  const shared = schemasOf(root);
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
      const known = getOrInsert(uses, name, () => ({ inRequests: false, inResponses: false }));
      if (known[direction]) return;
      known[direction] = true;
      visit({ schema: shared[name] }, direction, seen);
    });
  };
  for (const field of ['paths', 'webhooks'] as const) {
    const isWebhook = field === 'webhooks';
    for (const { path, operation } of listOperations(root, field)) {
      const item = viewer.resolve(recordOf(root[field])[path]);
      const { responses, callbacks, ...sent } = operation;
      const [request, response] = isWebhook
        ? (['inResponses', 'inRequests'] as const)
        : (['inRequests', 'inResponses'] as const);
      visit({ ...sent, pathItems: { item: { parameters: item['parameters'] } } }, request, new Set());
      visit({ responses }, response, new Set());
      // The API sends the requests of callbacks, like responses.
      visit({ callbacks }, response, new Set());
    }
  }
  return uses;
}
