import type { Operation, PathParams } from '../../contract/operation.ts';
import { defined, isRecord } from '../../contract/values.ts';
import type { Caller } from '../callers.ts';
import type { ResourceScope } from '../handler.ts';
import type { AuditActor, AuditOrigin, AuditTarget } from '../rows/audit-events.ts';
import type { WriteTransaction } from '../store.ts';
import { recordChanges, type AuditContext } from './record-changes.ts';
import { digest, shownName } from './show-values.ts';

export interface CallSource {
  readonly origin: Exclude<AuditOrigin, { readonly kind: 'job' }>;
  /** The ID of the request. */
  readonly execution?: string;
  /** Shared by the calls of one command. */
  readonly correlation?: string;
}

interface Call {
  readonly operation: Operation;
  readonly params: PathParams;
  readonly scope: Partial<ResourceScope>;
  readonly caller: Caller;
  /** Where it comes from (default: this machine). */
  readonly from: (() => CallSource) | undefined;
  readonly now: string;
  /** Called if the call requested jobs. */
  readonly onRequest: () => void;
}

/** Path parameters with secrets: whoever knows the ID of an invite can use it. */
const secretParams: ReadonlySet<string> = new Set(['inviteId']);

/** Runs the handler of a call, and records what it changes as an event. */
export function recordCall<T>(
  tx: WriteTransaction,
  call: Call,
  handle: (tx: WriteTransaction) => Promise<T>,
): Promise<T> {
  return recordChanges(tx, handle, (answer) => describeCall(call, answer), { onRequest: call.onRequest });
}

function describeCall(call: Call, answer: unknown): AuditContext {
  const { operation, params, scope, caller, now } = call;
  const { token, integration } = caller;
  const from: CallSource = call.from?.() ?? { origin: { kind: 'local' } };
  const { origin } = from;
  const lastParam = operation.paramNames.at(-1);
  return {
    action: operation.id,
    actor: actorOf(caller),
    source: integration !== undefined ? 'integration' : origin.kind === 'remote' ? 'api' : 'script',
    origin: origin.kind === 'remote' && token !== undefined ? { ...origin, token } : origin,
    execution: from.execution,
    correlation: from.correlation ?? from.execution,
    now,
    organization: scope.organization?.id,
    targetIds: [
      idIn(answer),
      lastParam === undefined ? undefined : params[lastParam],
      ...idsOf(scope),
    ].filter((id) => id !== undefined),
    fallback: () => withLabel(targetIn(answer) ?? targetOf(lastParam, params), answer, scope),
  };
}

/** Returns who a caller is for events: an integration acts for its installation, if it has one. */
function actorOf({ user, integration }: Caller): AuditActor {
  if (integration === undefined) return { type: 'user', id: user.id, label: user.email };
  const { name, installation } = integration;
  return installation === undefined
    ? { type: 'integration', id: name, label: name }
    : { type: 'installation', id: installation.id, label: name };
}

function idIn(answer: unknown): string | undefined {
  return isRecord(answer) && typeof answer['id'] === 'string' ? answer['id'] : undefined;
}

function targetIn(answer: unknown): AuditTarget | undefined {
  const id = idIn(answer);
  return id !== undefined && isRecord(answer) && typeof answer['object'] === 'string'
    ? { type: answer['object'], id }
    : undefined;
}

/** Names a target by the answer, or by the resource that the caller was authorized for. */
function withLabel(
  target: AuditTarget | undefined,
  answer: unknown,
  scope: Partial<ResourceScope>,
): AuditTarget | undefined {
  if (target === undefined) return undefined;
  const rows = [answer, ...Object.values(scope)].filter(isRecord);
  const [found] = rows.filter(({ id, name, slug }) => [id, name, slug].includes(target.id));
  const name = ['title', 'slug', 'name', 'kind', 'subject'].map((field) => found?.[field]);
  const label = name.find((text) => typeof text === 'string');
  return label === undefined ? target : { ...target, ...defined({ label: shownName(label) }) };
}

/** Returns the IDs of the resources that the caller was authorized for, the innermost first. */
function idsOf(scope: Partial<ResourceScope>): (string | undefined)[] {
  const rows = scope as Readonly<Record<string, { readonly id?: string } | undefined>>;
  return ['changeRequest', 'revision', 'site', 'collection', 'integration', 'space'].map(
    (name) => rows[name]?.id,
  );
}

/** Returns the target that the path of a request names: `translationId` is the ID of a translation. */
function targetOf(param: string | undefined, params: PathParams): AuditTarget | undefined {
  const value = param === undefined ? undefined : params[param];
  if (param === undefined || value === undefined) return undefined;
  const type = param
    .replace(/(?:Id|Name|Slug)$/, '')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return { type, id: secretParams.has(param) ? digest(value) : value };
}
