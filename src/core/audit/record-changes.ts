import { hash } from 'node:crypto';
import { defaultAuditDays } from '../../contract/audit-days.ts';
import { defined, getOrInsert, groupBy } from '../../contract/values.ts';
import { addTime, day, isoTime } from '../clock.ts';
import { enqueue } from '../jobs.ts';
import {
  auditEvents,
  auditHeads,
  type AuditActor,
  type AuditedChange,
  type AuditEventRow,
  type AuditHeadRow,
  type AuditOrigin,
  type AuditPayload,
  type AuditTarget,
} from '../rows/audit-events.ts';
import { organizations } from '../rows/organizations.ts';
import type { Row, Table, WriteTransaction } from '../store.ts';
import { ChangeRecorder, type RowChange } from './change-recorder.ts';
import { canContinue, continueEvent } from './continue-event.ts';
import { hashEvent } from './hash-event.ts';
import { showDifference, shownId, shownLabel, shownName } from './show-values.ts';
import type { NamePart, RowAudit } from './table-audit.ts';

/** The parts of an event that do not come from the changed rows. */
export interface AuditContext {
  readonly action: string;
  readonly actor: AuditActor;
  readonly source: AuditEventRow['source'];
  readonly origin: AuditOrigin;
  readonly execution?: string | undefined;
  readonly correlation?: string | undefined;
  readonly now: string;
  /** The organization of changed rows that do not name one. */
  readonly organization?: string | undefined;
  /** IDs that the target may have, the likeliest first. */
  readonly targetIds?: readonly string[];
  /** Returns the target if no changed row is the target. */
  readonly fallback?: () => AuditTarget | undefined;
}

/** Maximum number of related resources that an event lists. */
const maxRelated = 20;
/** Options of `recordChanges`. */
interface RecordOptions {
  /** Records an event even if no row changed. */
  readonly always?: boolean;
  /** The work is a job. Changed `progress` fields and requests of more jobs then record no event. */
  readonly isJob?: boolean;
  /** Called if the work requested jobs. */
  readonly onRequest?: (() => void) | undefined;
}

/**
 * Runs the work in a transaction, and adds an event to each organization whose rows it changed, in the same transaction.
 * `describe` gets the result of the work, and is called only if there may be an event; undefined records none.
 */
export async function recordChanges<T>(
  tx: WriteTransaction,
  work: (tx: WriteTransaction) => Promise<T>,
  describe: (result: T) => AuditContext | undefined,
  { always = false, isJob = false, onRequest }: RecordOptions = {},
): Promise<T> {
  const recorder = new ChangeRecorder(tx);
  const result = await work(recorder);
  const changes = listChanges(recorder, isJob);
  if (recorder.requestedWork) onRequest?.();
  const isRequest = recorder.requestedWork && !isJob;
  if (changes.length === 0 && recorder.counts.size === 0 && !isRequest && !always) return result;
  const context = describe(result);
  if (context === undefined) return result;
  const { organization } = context;
  const groups = await groupByOrganization(tx, changes, organization);
  if (groups.size === 0 && organization !== undefined) groups.set(organization, []);
  for (const [id, shown] of groups)
    await appendEvent(tx, context, id, {
      ...(await payloadOf(tx, context, recorder, shown)),
      ...(id === organization || organization === undefined ? countsOf(recorder) : {}),
    });
  return result;
}

/** Runs additional work in the transaction of a caller, and records its changes as a separate event. */
export function recordApart<T>(
  tx: WriteTransaction,
  work: (tx: WriteTransaction) => Promise<T>,
  describe: (result: T) => AuditContext | undefined,
): Promise<T> {
  return recordChanges(tx instanceof ChangeRecorder ? tx.tx : tx, work, describe);
}

/** A change of a row, and the way in which events show it. */
interface ShownChange {
  readonly row: RowChange;
  readonly target: AuditTarget;
  readonly shown: AuditedChange;
}

function listChanges({ changes }: ChangeRecorder, isJob: boolean): ShownChange[] {
  return changes.flatMap((row) => {
    const { audit, before, after } = row;
    const difference = showDifference(audit, before, after, isJob);
    const state = after ?? before;
    if (difference === undefined || state === undefined) return [];
    const change = before === undefined ? 'created' : after === undefined ? 'deleted' : 'updated';
    const target = {
      type: audit.type,
      id: shownId(audit, state),
      ...defined({ label: shownLabel(audit, state) }),
    };
    return [{ row, target, shown: { change, ...difference } }];
  });
}

/** Groups changes by organization. A resource that moved between two organizations is in both groups. */
async function groupByOrganization(
  tx: WriteTransaction,
  changes: readonly ShownChange[],
  fallback: string | undefined,
): Promise<Map<string, ShownChange[]>> {
  const groups = new Map<string, ShownChange[]>();
  // A row names its organization directly or through an owner row, which the same change may have removed.
  const removed = new Map(
    changes.flatMap(({ row: { before, after } }) =>
      after === undefined && before !== undefined ? [[before.id, before]] : [],
    ),
  );
  for (const change of changes) {
    const { audit, before, after } = change.row;
    const found = new Set<string>();
    for (const row of [before, after]) {
      const id = row === undefined ? undefined : await organizationOf(tx, audit, row, removed);
      if (id !== undefined) found.add(id);
    }
    if (found.size === 0 && fallback !== undefined) found.add(fallback);
    for (const id of found) getOrInsert(groups, id, () => []).push(change);
  }
  return groups;
}

async function organizationOf(
  tx: WriteTransaction,
  { type, owner }: RowChange['audit'],
  row: Row,
  removed: ReadonlyMap<string, Row>,
): Promise<string | undefined> {
  const fields = row as unknown as Readonly<Record<string, unknown>>;
  if (type === 'organization') return row.id;
  if (typeof fields['organization'] === 'string') return fields['organization'];
  if (owner === undefined) return undefined;
  const id = String(fields[owner.by]);
  const owning: (Row & { readonly organization?: string }) | undefined =
    (await tx.get(owner.table as Table, id)) ?? removed.get(id);
  return owning?.organization;
}

type Content = Omit<AuditPayload, 'origin'> & { readonly target: AuditTarget | undefined };

async function payloadOf(
  tx: WriteTransaction,
  { targetIds = [], fallback }: AuditContext,
  recorder: ChangeRecorder,
  changes: readonly ShownChange[],
): Promise<Content> {
  const chosen = chooseTarget(changes, targetIds);
  const others = changes.filter((change) => change !== chosen);
  const related: AuditPayload['related'] & unknown[] = [];
  for (const change of others.slice(0, maxRelated))
    related.push({ ...(await named(tx, change, changes)), ...change.shown });
  return {
    target: chosen === undefined ? withName(fallback?.(), recorder) : await named(tx, chosen, changes),
    ...chosen?.shown,
    ...(related.length === 0 ? {} : { related }),
    ...(others.length > maxRelated ? { relatedCount: others.length } : {}),
  };
}

/** Labels a target whose row was not changed: with the label of the row if it was read, or else with its ID. */
function withName(target: AuditTarget | undefined, recorder: ChangeRecorder): AuditTarget | undefined {
  if (target === undefined || target.label !== undefined) return target;
  const read = recorder.findRead(target.id);
  const label = read === undefined ? undefined : shownLabel(read.audit, read.row);
  return { ...target, label: label ?? target.id };
}

/** Returns a target with a label. A resource without a name, such as a permission, is described by the rows it refers to. */
async function named(
  tx: WriteTransaction,
  { row, target }: ShownChange,
  changes: readonly ShownChange[],
): Promise<AuditTarget> {
  const state = row.after ?? row.before;
  if (target.label !== undefined || state === undefined) return target;
  const label = await describeRow(tx, row.audit, state, changes);
  return { ...target, ...defined({ label }) };
}

async function describeRow(
  tx: WriteTransaction,
  audit: RowAudit,
  row: Row,
  changes: readonly ShownChange[],
): Promise<string | undefined> {
  const parts = audit.describe?.(row);
  if (parts === undefined) return undefined;
  const words: string[] = [];
  for (const part of parts) {
    if (typeof part === 'string') words.push(part);
    else words.push((await nameOf(tx, part, changes)) ?? part.id);
  }
  return shownName(words.join(''));
}

/** Returns the name of a row. The row may have been removed by the same change. */
async function nameOf(
  tx: WriteTransaction,
  { table, id }: Exclude<NamePart, string>,
  changes: readonly ShownChange[],
): Promise<string | undefined> {
  const { audit } = table as Table;
  if (audit === undefined || audit === 'request' || 'counted' in audit) return undefined;
  const removed = changes.find(({ row: { before, after } }) => after === undefined && before?.id === id);
  const found = (await tx.get(table as Table, id)) ?? removed?.row.before;
  if (found === undefined) return undefined;
  return shownLabel(audit, found) ?? describeRow(tx, audit, found, changes);
}

/** Chooses the change that the event is about: one with a likely ID, or else the first creation, deletion or update. */
function chooseTarget(changes: readonly ShownChange[], ids: readonly string[]): ShownChange | undefined {
  const primary = changes.filter(({ row }) => row.audit.secondary !== true);
  for (const id of ids) {
    const hasId = ({ row, target }: ShownChange) => target.id === id || (row.after ?? row.before)?.id === id;
    const found = primary.find(hasId) ?? changes.find(hasId);
    if (found !== undefined) return found;
  }
  const byChange = groupBy(primary, ({ shown }) => shown.change);
  return (byChange.get('created') ?? byChange.get('deleted') ?? byChange.get('updated') ?? changes)[0];
}

function countsOf({ counts }: ChangeRecorder): Pick<AuditPayload, 'counts'> {
  return counts.size === 0 ? {} : { counts: Object.fromEntries(counts) };
}

async function appendEvent(
  tx: WriteTransaction,
  context: AuditContext,
  organization: string,
  { target: given, ...content }: Content,
): Promise<void> {
  const target = given ?? (await organizationTarget(tx, organization));
  const { action, actor, source, origin, execution, correlation, now } = context;
  const head = await tx.get(auditHeads, organization);
  const number = (head?.number ?? 0) + 1;
  // Events are listed by ID, which contains the time. A call may wait for others that began later, and clocks can be set back.
  const before = head === undefined ? now : timeOf(head.event);
  const occurredAt = before > now ? before : now;
  const event = {
    id: createEventId(organization, number, occurredAt),
    organization,
    number,
    occurredAt,
    action,
    actor: actor.id,
    who: actor,
    target: target.id,
    what: target,
    source,
    ...defined({ execution, correlation }),
    payload: { ...content, origin },
    previous: head?.hash ?? null,
  };
  const last = head === undefined || !canContinue(action) ? undefined : await tx.get(auditEvents, head.event);
  const continued = last === undefined ? undefined : continueEvent(last, event);
  if (continued !== undefined) {
    const row = { ...continued, hash: hashEvent(continued) };
    await tx.update(auditEvents, row.id, row);
    await tx.update(auditHeads, organization, { hash: row.hash });
    return;
  }
  const row = { ...event, hash: hashEvent(event) };
  await tx.insert(auditEvents, row);
  const change = { number: row.number, hash: row.hash, event: row.id };
  if (head?.scheduled === true) await tx.update(auditHeads, organization, change);
  else await scheduleRemoval(tx, { ...change, id: organization, scheduled: true }, head, now);
}

async function organizationTarget(tx: WriteTransaction, id: string): Promise<AuditTarget> {
  const label = (await tx.get(organizations, id))?.title;
  return { type: 'organization', id, ...defined({ label }) };
}

/** Queues the job that removes events when they are old enough. */
async function scheduleRemoval(
  tx: WriteTransaction,
  row: AuditHeadRow,
  before: AuditHeadRow | undefined,
  now: string,
): Promise<void> {
  const days = (await tx.get(organizations, row.id))?.auditDays ?? defaultAuditDays;
  const dueAt = addTime(now, days * day);
  await enqueue(tx, now, { kind: 'audit', organization: row.id, subject: row.id, dueAt });
  if (before === undefined) await tx.insert(auditHeads, row);
  else await tx.update(auditHeads, row.id, row);
}

/** Returns the time that is in the ID of an event. */
function timeOf(eventId: string): string {
  return isoTime(Number.parseInt(eventId.slice(0, 8) + eventId.slice(9, 13), 16));
}

/**
 * Returns a UUID of version 7 (RFC 9562): the time in milliseconds, then a digest of the organization and the number of the
 * event, which are unique together.
 */
function createEventId(organization: string, number: number, now: string): string {
  const time = Date.parse(now).toString(16).padStart(12, '0');
  const digest = hash('sha256', `${organization} ${number} ${now}`);
  const variant = (0x8 | (Number.parseInt(digest.charAt(16), 16) & 0x3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
