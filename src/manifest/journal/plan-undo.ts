import type { Api } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import { openBackend } from '../backend.ts';
import type { Kind } from '../kind.ts';
import { guardDeletes, markProtected } from '../guard-deletes.ts';
import type { ManifestState } from '../manifest-state.ts';
import type { PlanDocument, Step } from '../plan-document.ts';
import { excludeUnowned } from './exclude-unowned.ts';
import { LiveCache } from './live-cache.ts';
import type { Run } from './read-run.ts';
import { collectEffects, type ResourceEffect } from './collect-effects.ts';
import { UndoSteps } from './undo-steps.ts';
import { Undoer } from './undoer.ts';

export interface UndoRequest {
  readonly run: Run;
  readonly api: Api;
  readonly state: ManifestState;
  readonly table: readonly Kind[];
  readonly now: number;
  /** Also what was changed since, what may have been made by somebody else, and what is protected. */
  readonly force?: boolean | undefined;
  /** Resources that may be deleted at most, as `PruneOptions` has it. */
  readonly maxDeletes?: number | undefined;
  /** Told the whole undo, to look at, before it is refused for what it would delete. */
  readonly onRefused?: ((undo: Undo) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Something that is not as the run left it: it stays as it is. */
export interface Conflict {
  readonly address: string;
  readonly field?: string;
  /** In half a sentence, with the value now where it is one of a field. */
  readonly why: string;
  readonly now?: unknown;
  /** What it was before the run. */
  readonly was?: unknown;
}

/** What it takes to bring back what was there before a run. */
export interface Undo {
  readonly document: PlanDocument;
  readonly conflicts: readonly Conflict[];
  /** What the journal says and the lock does not own: nothing changes it, --force neither. */
  readonly refused: readonly Conflict[];
  /** What cannot come back, or not as it was, in sentences. */
  readonly lost: readonly string[];
  /** What the run brought about beside its steps, and no undo takes away. */
  readonly stays: readonly string[];
  /** What there is to know of what does come back, in sentences. */
  readonly notes: readonly string[];
}

/** Compares what a run did with what is live now, and plans the way back; `guard-refused` for what may not be deleted. Changes nothing. */
export async function planUndo(request: UndoRequest): Promise<Undo> {
  const { run, api, state, table, signal } = request;
  checkPlace(run, api, state);
  const told = collectEffects(run, table);
  const withPeople = told.some(namesPeople);
  const lists = new LiveCache(await openBackend(api, state.organization, { withPeople, signal }));
  const { touched, scopes, refused, notes } = await excludeUnowned({
    touched: told,
    scopes: run.scopes,
    isUndo: run.head.undoes !== undefined,
    state,
    lists,
    table,
  });
  const steps = new UndoSteps({ lists, lock: state, table, touched });
  const undoer = new Undoer({ ...request, run: { ...run, scopes } }, touched, lists, steps);
  await undoer.undo();
  const refusal = refusalOf(request, steps.deletes);
  // A refused plan is shown with what is protected as it would stay.
  if (refusal !== undefined && request.force !== true)
    steps.deletes.splice(
      0,
      Infinity,
      ...steps.deletes.map((step) => markProtected(step, (address) => state.get(address))),
    );
  const document = await steps.document(api.place, state, withPeople);
  const undo = {
    document,
    conflicts: undoer.conflicts,
    refused: [...refused, ...undoer.refused],
    lost: undoer.lost,
    stays: undoer.stays,
    notes: [...notes, ...undoer.notes],
  };
  if (refusal === undefined) return undo;
  request.onRefused?.(undo);
  throw refusal;
}

/** The danger is that of --prune, and so is the guard. */
function refusalOf(
  { run, state, force = false, maxDeletes }: UndoRequest,
  deletes: readonly Step[],
): Problem | undefined {
  const command = `docsctl runs undo ${run.head.id}`;
  return guardDeletes({
    deletes,
    entryOf: (address) => state.get(address),
    force,
    owned: state.size,
    maxDeletes,
    whyProtected: (many) => `undoing the run would delete ${many ? 'them' : 'it'}`,
    hintProtected: 'Apply once with "protect: false", then undo; --force deletes what is protected as well.',
    look: (needed) => `${command} --dry-run${force ? ' --force' : ''} --max-deletes ${needed}`,
    verb: 'undo',
  });
}

function checkPlace({ head }: Run, { place }: Api, { organization }: ManifestState): void {
  if (head.place === place && head.organization === organization) return;
  throw new Problem(
    'precondition-failed',
    `Run ${head.id} was on ${head.place}, organization ${head.organization}; this is ${place}, organization ${organization}.`,
    {
      hint: 'Name that store or server, and that organization with --org.',
    },
  );
}

function namesPeople({ kind, changes, was }: ResourceEffect): boolean {
  const { fields } = kind;
  return [...changes.keys(), ...Object.keys(was?.fields ?? {})].some(
    (name) => Object.hasOwn(fields, name) && fields[name]!.people === true,
  );
}
