import { isExternal, type Kind } from '../kind.ts';
import type { Owned } from '../manifest-state.ts';
import type { RecordedReferrer, RecordedChange, DeletedResource } from './journal-lines.ts';
import type { Run, RunStep } from './read-run.ts';

/** What a run did to one resource, in all of its steps. */
export interface ResourceEffect {
  readonly address: string;
  readonly kind: Kind;
  readonly name: string;
  readonly within: readonly (readonly string[])[];
  /** Absent where the run ended before it was known. */
  readonly id: string | undefined;
  readonly how: 'made' | 'changed' | 'deleted';
  /** The first value before and the last one after. */
  readonly changes: Map<string, RecordedChange>;
  /** Whether each of its steps ended well, so that all of its changes were made. */
  isWhole: boolean;
  readonly was: DeletedResource | undefined;
  readonly asides: readonly RecordedReferrer[];
  /** What the lock said before, and after as far as that is known. */
  readonly before: Map<string, Owned | null>;
  readonly after: Map<string, Owned | null>;
  /** Content that it sent, and the revision before. */
  readonly content: {
    readonly from: string | undefined;
    readonly to: string | undefined;
    readonly request: number | undefined;
  }[];
}

/** What a run did, resource by resource. Kinds that this docsctl does not know are left out. */
export function collectEffects(run: Run, table: readonly Kind[]): ResourceEffect[] {
  const found = new Map<string, ResourceEffect>();
  for (const step of run.steps) {
    const kind = table.find(({ name }) => name === step.begun.kind);
    if (kind === undefined || step.begun.beside !== undefined) continue;
    const id = step.made ?? step.begun.id;
    const key = id === undefined ? `new ${step.begun.address}` : `${kind.name} ${id}`;
    const touched = found.get(key) ?? open(step, kind, id);
    found.set(key, touched);
    add(touched, step);
  }
  return [...found.values()];
}

function open({ begun }: RunStep, kind: Kind, id: string | undefined): ResourceEffect {
  const { address, name, within, action, was, asides = [] } = begun;
  const how = action === 'create' ? 'made' : action === 'delete' && was !== undefined ? 'deleted' : 'changed';
  return {
    address,
    kind,
    name,
    within,
    id,
    how,
    changes: new Map(),
    isWhole: true,
    was,
    asides,
    before: new Map(),
    after: new Map(),
    content: [],
  };
}

function add(touched: ResourceEffect, { begun, ended, content }: RunStep): void {
  for (const change of begun.changes) {
    const first = touched.changes.get(change.field);
    touched.changes.set(
      change.field,
      first?.before === undefined ? change : { ...change, before: first.before },
    );
  }
  for (const [address, owned] of Object.entries(begun.owned))
    if (!touched.before.has(address)) touched.before.set(address, owned);
  for (const [address, owned] of Object.entries(ended?.owned ?? {})) touched.after.set(address, owned);
  if (ended?.status !== 'done') touched.isWhole = false;
  if (
    begun.revision !== undefined ||
    content !== undefined ||
    begun.changes.some(({ field }) => isExternal(touched.kind, field))
  )
    touched.content.push({ from: begun.revision, to: content?.revision, request: content?.request });
}
