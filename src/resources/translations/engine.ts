import type { Caller } from '../../core/callers.ts';
import { addTime } from '../../core/clock.ts';
import type { JobOutcome, Engine, JobContext } from '../../core/jobs.ts';
import { modelOutgoing } from '../../core/model-requests.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { users } from '../../core/rows/organizations.ts';
import { translations, type TranslationRow, type TranslationState } from './rows.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { defined, truncate } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { documentToMarkdown } from '../../richtext/markdown.ts';
import { readGlossary } from '../../translation/glossary.ts';
import { createProtector, type Protector } from '../../translation/pieces.ts';
import { openProvider } from '../../translation/providers/index.ts';
import { sha256 } from '../../content/hashing.ts';
import { diffRevisions, readContent } from '../../content/revisions.ts';
import { withGlossary } from '../glossary/glossary-terms.ts';
import { translateEntries } from './entries.ts';
import { forgetMemory, type TranslationQuery } from './memory.ts';
import { findLiveSpace } from './rules.ts';
import { createTarget, publishTarget } from './target.ts';
import { findRelinkedEntries, findLinkedAnchors, type LinkedAnchors } from './linked-anchors.ts';
import type { Entry } from '../../content/rows.ts';

/** Updates the target of a translation. Translates only what changed in the source since the last run. */
export const engine: Engine = {
  async run(context) {
    const begun = await context.write((tx) => beginRun(tx, context));
    if (begun === 'gone') return forgetMemory(context, context.job.subject);
    if (begun === 'nothing') return undefined;
    return translateChanges(context, begun).catch((error: unknown) =>
      recordProblem(context, begun.row, error),
    );
  },

  async failed(tx, { subject }, problem, at) {
    const row = await tx.get(translations, subject);
    if (row !== undefined)
      await tx.update(translations, subject, { status: 'pending', problem: problemFields(problem, at) });
  },
};

interface StartedRun {
  readonly row: TranslationRow;
  readonly source: SpaceRow;
}

/**
 * Marks a run as started. Returns `nothing` if the source or the target was deleted; only `runTranslation` creates another
 * target.
 */
async function beginRun(
  tx: WriteTransaction,
  { job, now }: JobContext,
): Promise<StartedRun | 'gone' | 'nothing'> {
  const translation = await tx.get(translations, job.subject);
  if (translation === undefined) return 'gone';
  const source = await findLiveSpace(tx, translation.organization, translation.source);
  const isTargetGone =
    translation.target !== undefined &&
    (await findLiveSpace(tx, translation.organization, translation.target)) === undefined;
  if (source === undefined || isTargetGone) {
    await tx.update(translations, translation.id, {
      status: 'completed',
      run: undefined,
      problem: undefined,
    });
    return 'nothing';
  }
  return {
    row: await tx.update(translations, translation.id, {
      status: 'running',
      problem: undefined,
      run: translation.run ?? { startedAt: now(), words: 0 },
    }),
    source,
  };
}

/** Translates the changes of the source, outside of any transaction. */
async function translateChanges(context: JobContext, { row, source }: StartedRun): Promise<JobOutcome> {
  const { query, protect } = await prepare(context, row);
  const state = row.state;
  const isWhole = row.whole === true || state?.fingerprint !== query.fingerprint;
  const { changes, anchors } = await context.read(async (view) => {
    const wanted = await findLinkedAnchors(view, source.revision);
    return { changes: await findChanges(view, state, source.revision, isWhole, wanted), anchors: wanted };
  });
  const put = [...changes.values()].filter((entry) => entry !== undefined);
  const { entries, kept } = await translateEntries(context, { query, protect, anchors }, put);
  for (const [id, entry] of entries) changes.set(id, entry);
  if (state !== undefined && state.fingerprint !== query.fingerprint)
    await forgetMemory(context, row.id, state.fingerprint);
  return {
    write: (tx) =>
      finishRun(context, tx, row, {
        source: source.revision,
        fingerprint: query.fingerprint,
        changes,
        kept,
      }),
  };
}

const transientReasons: ReadonlySet<string> = new Set(['unreachable', 'timed-out', 'rate-limited']);

/**
 * Stores the problem of a run in the translation. A run that made progress is repeated without limit, because a service may
 * translate only a little at a time.
 */
async function recordProblem(
  { write, now }: JobContext,
  { id, run }: TranslationRow,
  error: unknown,
): Promise<JobOutcome> {
  if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
  const { reason, retryAfter } = error;
  const at = now();
  const words = await write(async (tx) => {
    const row = await tx.get(translations, id);
    // Otherwise, another run was requested meanwhile.
    if (row?.status === 'running') await tx.update(translations, id, { problem: problemFields(error, at) });
    return row?.run?.words ?? 0;
  });
  if (words <= (run?.words ?? 0) || !transientReasons.has(reason)) throw error;
  return { repeatAt: addTime(at, 1000 * Math.min(3600, Math.max(5, retryAfter ?? 0))) };
}

function problemFields(
  { reason, message, hint }: Problem,
  at: string,
): NonNullable<TranslationRow['problem']> {
  return {
    reason,
    message: truncate(message, 1000),
    ...defined({ hint: hint === undefined ? undefined : truncate(hint, 1000) }),
    at,
  };
}

/** Opens the translation service, and computes the fingerprint of everything that its answers depend on. */
async function prepare(
  context: JobContext,
  { id, organization, from, language: to, instructions }: TranslationRow,
): Promise<{ query: TranslationQuery; protect: Protector }> {
  const provider = await openProvider(modelOutgoing(context), context.env);
  const own = readGlossary(instructions);
  const terms = await context.read((view) => withGlossary(view, organization, { from, to, terms: own }));
  const text = provider.followsInstructions ? documentToMarkdown(instructions) : '';
  const fingerprint = sha256(JSON.stringify(['1', provider.name, from, to, text, terms]));
  // A service that follows instructions gets the translations of terms in its instructions. Terms that must stay unchanged are
  // replaced by placeholders before the text is sent.
  const protect = createProtector(
    provider.followsInstructions ? terms.filter(({ target }) => target === undefined) : terms,
  );
  return {
    query: {
      translation: id,
      fingerprint,
      provider,
      request: { from, to, instructions: text, terms, signal: context.signal },
    },
    protect,
  };
}

/**
 * Returns the entries that the source added, changed or removed (undefined) since the last run; all entries for a run with
 * `whole`.
 */
async function findChanges(
  view: ReadTransaction,
  state: TranslationState | undefined,
  revision: string,
  isWhole: boolean,
  wanted: LinkedAnchors,
): Promise<Map<string, Entry | undefined>> {
  const changes = new Map<string, Entry | undefined>();
  if (state !== undefined) {
    for (const { id, after } of await diffRevisions(view, state.source, revision)) changes.set(id, after);
    if (!isWhole)
      for (const entry of await findRelinkedEntries(view, state.source, revision, wanted))
        changes.set(entry.id, entry);
  }
  if (isWhole || state === undefined)
    for (const entry of await readContent(view, revision)) changes.set(entry.id, entry);
  return changes;
}

interface TranslatedChanges {
  readonly source: string;
  readonly fingerprint: string;
  readonly changes: ReadonlyMap<string, Entry | undefined>;
  readonly kept: number;
}

async function finishRun(
  { now, newId }: JobContext,
  tx: WriteTransaction,
  { id, target }: TranslationRow,
  { source, fingerprint, changes, kept }: TranslatedChanges,
): Promise<void> {
  const row = await tx.get(translations, id);
  const from = await findLiveSpace(tx, row?.organization ?? '', row?.source);
  // The translation was deleted or got another target meanwhile. The next run handles this.
  if (row === undefined || row.target !== target) return;
  const context = { tx, now: now(), newId, caller: await callerOf(tx, row) };
  const space =
    target === undefined
      ? from && (await createTarget(context, from, row))
      : await findLiveSpace(tx, row.organization, target);
  if (from === undefined || space === undefined)
    return void (await tx.update(translations, id, { status: 'completed', run: undefined }));
  const before = row.state?.written ?? space.revision;
  const last = { written: before, source: [row.state?.source ?? source, source] as const };
  const { written, published, edits } = await publishTarget(context, space, last, changes);
  const pages = (await diffRevisions(tx, before, written)).filter(
    ({ after }) => after?.kind === 'page' && after.type === 'document',
  );
  const duration = Math.max(0, Date.parse(context.now) - Date.parse(row.run?.startedAt ?? context.now));
  const words = row.run?.words ?? 0;
  const { stats } = row;
  // Otherwise, another run was requested meanwhile.
  const isLast = row.status === 'running';
  await tx.update(translations, id, {
    status: isLast ? 'completed' : 'pending',
    target: space.id,
    state: { source, written, published, fingerprint },
    whole: isLast ? undefined : row.whole,
    run: undefined,
    updatedAt: context.now,
    stats: {
      runs: stats.runs + 1,
      totalWords: stats.totalWords + words,
      totalPages: stats.totalPages + pages.filter(({ before: old }) => old === undefined).length,
      totalDuration: stats.totalDuration + duration,
      latestRunDuration: duration,
      latestPages: pages.length,
      latestWords: words,
      latestKept: kept,
      latestEditsKept: edits.kept,
      latestEditsReplaced: edits.replaced,
    },
  });
}

/** Returns the user who created the translation as the caller, who becomes the author of its revisions. */
async function callerOf(view: ReadTransaction, { createdBy, createdAt }: TranslationRow): Promise<Caller> {
  const user = (await view.get(users, createdBy)) ?? { id: createdBy, email: '', displayName: '', createdAt };
  return { user, owner: false, operator: false, organization: null, maxRole: null };
}
