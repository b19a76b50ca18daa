import { isRecord, recordOf } from '../contract/values.ts';
import type { Report, Side, SpecificationChange } from './specification-change.ts';
import { listOperations, securitySchemesOf, toText } from './specification-tree.ts';

type Fields = Record<string, unknown>;

interface Secured {
  readonly root: Fields;
  readonly operation: Fields;
}

/** The alternatives for authentication. Each requires all of its schemes with their scopes. */
type Alternatives = readonly ReadonlyMap<string, readonly string[]>[];

function securityOf({ root, operation }: Secured): Alternatives {
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

/**
 * Compares the authentication of an operation. A change is breaking if credentials that were sufficient are not sufficient
 * anymore.
 */
export function compareSecurity(was: Secured, is: Secured, report: Report): void {
  const [from, to] = [securityOf(was), securityOf(is)];
  const [old, now] = [describeSecurity(from), describeSecurity(to)];
  if (old === now) return;
  const isAdmitted = (given: Alternatives[number]) =>
    to.some((needed) =>
      [...needed].every(
        ([name, scopes]) => scopes.every((scope) => given.get(name)?.includes(scope)) && given.has(name),
      ),
    );
  report('security', !from.every(isAdmitted), `${old} → ${now}`);
}

function describeSecurity(alternatives: Alternatives): string {
  const describe = ([name, scopes]: readonly [string, readonly string[]]) =>
    scopes.length === 0 ? name : `${name} (${scopes.join(', ')})`;
  return alternatives.map((each) => [...each].map(describe).join(' and ') || 'none').join(' or ');
}

/** Fields that define how a client authenticates. The others say where it gets its credentials. */
const credentialFields = ['type', 'in', 'name', 'scheme'];

/**
 * Compares the definitions of security schemes. Changes of the schemes that an operation requires are reported for the operation.
 */
export function compareSchemes(old: Side, now: Side): SpecificationChange[] {
  const [from, to] = [old, now].map(
    ({ root, viewer }) =>
      new Map(
        Object.entries(securitySchemesOf(root)).map(([name, scheme]) => [
          name,
          schemeFields(viewer.resolve(scheme)),
        ]),
      ),
  ) as [Map<string, Fields>, Map<string, Fields>];
  const used = new Set(
    listOperations(old.root).flatMap(({ operation }) =>
      securityOf({ root: old.root, operation }).flatMap((needed) => [...needed.keys()]),
    ),
  );
  return [...new Set([...from.keys(), ...to.keys()])].flatMap((name): SpecificationChange[] => {
    const base = { kind: 'security-scheme', name } as const;
    const [was, is] = [from.get(name), to.get(name)];
    if (was === undefined) return [{ ...base, change: 'added', part: '', breaking: false, message: 'added' }];
    if (is === undefined)
      return [{ ...base, change: 'removed', part: '', breaking: false, message: 'removed' }];
    return [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((field) => {
      const [one, other] = [was[field], is[field]].map((value) => toText(value) || 'none');
      const breaking = credentialFields.includes(field) && used.has(name);
      const message = `${field}: ${one} → ${other}`;
      return one === other ? [] : [{ ...base, change: 'changed' as const, part: '', breaking, message }];
    });
  });
}

/** Returns the fields of a security scheme, with those of its flows and their scopes by path. */
function schemeFields({ flows, flow, scopes, ...own }: Fields): Fields {
  const { type, name, in: place, scheme, openIdConnectUrl } = own;
  // In Swagger 2, the scheme is its only flow.
  const all = flow === undefined ? recordOf(flows) : { [toText(flow)]: { ...own, scopes } };
  const inFlows = Object.entries(all).flatMap(([kind, given]) => {
    const { authorizationUrl, tokenUrl, refreshUrl, scopes: named } = recordOf(given);
    const urls = Object.entries({ authorizationUrl, tokenUrl, refreshUrl });
    return [
      ...urls.map(([field, url]) => [`${kind}.${field}`, url] as const),
      [`${kind}.scopes`, Object.keys(recordOf(named)).sort().join(', ')] as const,
    ];
  });
  const shown = place === 'header' && type === 'apiKey' ? toText(name).toLowerCase() : name;
  const kind = toText(scheme).toLowerCase();
  return { type, in: place, name: shown, scheme: kind, openIdConnectUrl, ...Object.fromEntries(inFlows) };
}
