import { getOrInsert } from '../../contract/values.ts';
import { isExternal, type Kind, type Located } from '../kind.ts';
import type { Owned } from '../manifest-state.ts';
import type { DeletedResource, RecordedChange, RecordedReferrer, ResourcePath } from './journal-lines.ts';
import { fromPath } from './live-cache.ts';
import type { Run, RunStep } from './read-run.ts';

/** The combined effect of all steps of a run on one resource. */
export interface ResourceEffect {
  readonly action: 'create' | 'update' | 'delete';
  readonly address: string;
  readonly kind: Kind;
  readonly name: string;
  readonly path: ResourcePath;
  readonly within: Located | undefined;
  /** Absent if the run was killed before the ID was known. */
  readonly id: string | undefined;
  /** By field, with the first value before and the last value after. */
  readonly changes: Map<string, RecordedChange>;
  /** Whether every step was done, so that all changes were made. */
  isComplete: boolean;
  readonly deleted: DeletedResource | undefined;
  readonly referrers: readonly RecordedReferrer[];
  /** Entries of the state file by address, before and after the run. */
  readonly stateBefore: Map<string, Owned | null>;
  readonly stateAfter: Map<string, Owned | null>;
  readonly sentContent: SentContent[];
}

interface SentContent {
  /** The revisions of the space before and after the run. */
  readonly from: string | undefined;
  readonly to: string | undefined;
  readonly request: number | undefined;
}

/** Returns the effects of a run, resource by resource. Kinds that this docsctl does not know are left out. */
export function collectEffects(run: Run, table: readonly Kind[]): ResourceEffect[] {
  const effects = new Map<string, ResourceEffect>();
  for (const step of run.steps) {
    const kind = table.find(({ name }) => name === step.begun.kind);
    if (kind === undefined || step.begun.beside !== undefined) continue;
    const id = step.made ?? step.begun.id;
    const key = id === undefined ? `new ${step.begun.address}` : `${kind.name} ${id}`;
    const effect = getOrInsert(effects, key, () => startEffect(step, kind, id));
    addStep(effect, step);
  }
  return [...effects.values()];
}

function startEffect({ begun }: RunStep, kind: Kind, id: string | undefined): ResourceEffect {
  const { address, name, within: path, action, was: deleted, asides: referrers = [] } = begun;
  return {
    action:
      action === 'create' ? 'create' : action === 'delete' && deleted !== undefined ? 'delete' : 'update',
    address,
    kind,
    name,
    path,
    within: fromPath(path),
    id,
    changes: new Map(),
    isComplete: true,
    deleted,
    referrers,
    stateBefore: new Map(),
    stateAfter: new Map(),
    sentContent: [],
  };
}

function addStep(effect: ResourceEffect, { begun, ended, content }: RunStep): void {
  const { kind, changes, stateBefore, stateAfter, sentContent } = effect;
  for (const change of begun.changes) {
    const before = changes.get(change.field)?.before;
    changes.set(change.field, before === undefined ? change : { ...change, before });
  }
  for (const [address, owned] of Object.entries(begun.owned))
    if (!stateBefore.has(address)) stateBefore.set(address, owned);
  // If the run was killed during a step, the resulting entry of the state file is unknown, even if an earlier step wrote one.
  if (ended === undefined) for (const address of Object.keys(begun.owned)) stateAfter.delete(address);
  else for (const [address, owned] of Object.entries(ended.owned)) stateAfter.set(address, owned);
  if (ended?.status !== 'done') effect.isComplete = false;
  const sendsContent = begun.changes.some(({ field }) => isExternal(kind, field));
  if (begun.revision !== undefined || content !== undefined || sendsContent)
    sentContent.push({ from: begun.revision, to: content?.revision, request: content?.request });
}
