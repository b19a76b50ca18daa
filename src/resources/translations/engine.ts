import type { Caller } from '../../core/callers.ts';
import { isoTime } from '../../core/clock.ts';
import type { JobOutcome, Engine, JobContext } from '../../core/jobs.ts';
import type { SpaceRow } from '../../core/rows/spaces.ts';
import { users } from '../../core/rows/organizations.ts';
import { translations, type TranslationRow, type TranslationState } from './rows.ts';
import type { ReadTransaction, WriteTransaction } from '../../core/store.ts';
import { Problem } from '../../errors/problem.ts';
import { documentToMarkdown } from '../../richtext/markdown.ts';
import { readGlossary } from '../../translation/glossary.ts';
import { createProtector, type Protector } from '../../translation/pieces.ts';
import { openProvider } from '../../translation/providers/index.ts';
import { sha256 } from '../../content/hashing.ts';
import { diffRevisions, readContent } from '../../content/revisions.ts';
import { translateEntries } from './entries.ts';
import { forget, type MemoryQuery } from './memory.ts';
import { liveSpace } from './rules.ts';
import { createTarget, publishTarget } from './target.ts';
import { linkedAnew, wantedAnchors, type WantedAnchors } from './wanted-anchors.ts';
import type { Entry } from '../../content/rows.ts';

/** Brings the target of a translation up to date with its source: only what changed in the source since the last run is looked at. */
export const engine: Engine = {
  async run(context) {
    const begun = await context.write((tx) => begin(tx, context));
    if (begun === 'gone') return forget(context, context.job.subject);
    if (begun === 'nothing') return undefined;
    return bringUpToDate(context, begun).catch((error: unknown) => noteTrouble(context, begun.row, error));
  },

  async failed(tx, { subject }, problem, at) {
    const row = await tx.get(translations, subject);
    if (row !== undefined)
      await tx.update(translations, subject, { status: 'pending', problem: noted(problem, at) });
  },
};

interface Begun {
  readonly row: TranslationRow;
  readonly source: SpaceRow;
}

/** Notes that a run is under way; does nothing where the source or the target was deleted: who wants a new target asks for a run. */
async function begin(tx: WriteTransaction, { job, now }: JobContext): Promise<Begun | 'gone' | 'nothing'> {
  const known = await tx.get(translations, job.subject);
  if (known === undefined) return 'gone';
  const source = await liveSpace(tx, known.organization, known.source);
  const isTargetGone =
    known.target !== undefined && (await liveSpace(tx, known.organization, known.target)) === undefined;
  if (source === undefined || isTargetGone) {
    await tx.update(translations, known.id, { status: 'completed', run: undefined, problem: undefined });
    return 'nothing';
  }
  return {
    row: await tx.update(translations, known.id, {
      status: 'running',
      problem: undefined,
      run: known.run ?? { startedAt: now(), words: 0 },
    }),
    source,
  };
}

/** Translates what is to be translated, outside of any transaction. */
async function bringUpToDate(context: JobContext, { row, source }: Begun): Promise<JobOutcome> {
  const { asking, protect } = await prepare(context, row);
  const state = row.state;
  const isWhole = row.whole === true || state?.fingerprint !== asking.fingerprint;
  const { changes, anchors } = await context.read(async (view) => {
    const wanted = await wantedAnchors(view, source.revision);
    return { changes: await changesOf(view, state, source.revision, isWhole, wanted), anchors: wanted };
  });
  const put = [...changes.values()].filter((entry) => entry !== undefined);
  const { entries, kept } = await translateEntries(context, { asking, protect, anchors }, put);
  for (const [id, entry] of entries) changes.set(id, entry);
  if (state !== undefined && state.fingerprint !== asking.fingerprint)
    await forget(context, row.id, state.fingerprint);
  return {
    write: (tx) =>
      finish(context, tx, row, { source: source.revision, fingerprint: asking.fingerprint, changes, kept }),
  };
}

const passing: ReadonlySet<string> = new Set(['unreachable', 'timed-out', 'rate-limited']);

/** Says on the translation what its run waits for; one that came further has all its tries again, so that a service may give little at a time. */
async function noteTrouble(
  { write, now }: JobContext,
  { id, run }: TranslationRow,
  error: unknown,
): Promise<JobOutcome> {
  if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
  const { reason, retryAfter } = error;
  const at = now();
  const words = await write(async (tx) => {
    const row = await tx.get(translations, id);
    // Asked for anew meanwhile, it is another run's.
    if (row?.status === 'running') await tx.update(translations, id, { problem: noted(error, at) });
    return row?.run?.words ?? 0;
  });
  if (words <= (run?.words ?? 0) || !passing.has(reason)) throw error;
  return { repeatAt: isoTime(Date.parse(at) + 1000 * Math.min(3600, Math.max(5, retryAfter ?? 0))) };
}

function noted({ reason, message, hint }: Problem, at: string): NonNullable<TranslationRow['problem']> {
  return {
    reason,
    message: message.slice(0, 1000),
    ...(hint === undefined ? {} : { hint: hint.slice(0, 1000) }),
    at,
  };
}

/** The service, what it is told, and what all answers depend on. */
async function prepare(
  { outgoing, env, signal }: JobContext,
  { id, from, language: to, instructions }: TranslationRow,
): Promise<{ asking: MemoryQuery; protect: Protector }> {
  const provider = await openProvider(outgoing, env);
  const terms = readGlossary(instructions);
  const text = provider.followsInstructions ? documentToMarkdown(instructions) : '';
  const fingerprint = sha256(JSON.stringify(['1', provider.name, from, to, text, terms]));
  // A service that follows instructions gets the terms that have a translation; what must stay is never shown to any.
  const protect = createProtector(
    provider.followsInstructions ? terms.filter(({ target }) => target === undefined) : terms,
  );
  return {
    asking: {
      translation: id,
      fingerprint,
      provider,
      request: { from, to, instructions: text, terms, signal },
    },
    protect,
  };
}

/** What the source has put or removed since the last run; or everything, where all of it is to be looked at. */
async function changesOf(
  view: ReadTransaction,
  state: TranslationState | undefined,
  revision: string,
  isWhole: boolean,
  wanted: WantedAnchors,
): Promise<Map<string, Entry | undefined>> {
  const changes = new Map<string, Entry | undefined>();
  if (state !== undefined) {
    for (const { id, after } of await diffRevisions(view, state.source, revision)) changes.set(id, after);
    if (!isWhole)
      for (const entry of await linkedAnew(view, state.source, revision, wanted))
        changes.set(entry.id, entry);
  }
  if (isWhole || state === undefined)
    for (const entry of await readContent(view, revision)) changes.set(entry.id, entry);
  return changes;
}

interface Finished {
  readonly source: string;
  readonly fingerprint: string;
  readonly changes: ReadonlyMap<string, Entry | undefined>;
  readonly kept: number;
}

/** Writes the target and what the run was, in one transaction. */
async function finish(
  { now, newId }: JobContext,
  tx: WriteTransaction,
  { id, target }: TranslationRow,
  { source, fingerprint, changes, kept }: Finished,
): Promise<void> {
  const row = await tx.get(translations, id);
  const from = await liveSpace(tx, row?.organization ?? '', row?.source);
  // Deleted, or given another target, while it ran: the next run sees to it.
  if (row === undefined || row.target !== target) return;
  if (from === undefined)
    return void (await tx.update(translations, id, { status: 'completed', run: undefined }));
  const given = { tx, now: now(), newId, caller: await callerOf(tx, row) };
  const space =
    target === undefined
      ? await createTarget(given, from, row)
      : await liveSpace(tx, row.organization, target);
  if (space === undefined)
    return void (await tx.update(translations, id, { status: 'completed', run: undefined }));
  const before = row.state?.written ?? space.revision;
  const last = { written: before, source: [row.state?.source ?? source, source] as const };
  const { written, published, edits } = await publishTarget(given, space, last, changes);
  const pages = (await diffRevisions(tx, before, written)).filter(
    ({ after }) => after?.kind === 'page' && after.type === 'document',
  );
  const duration = Math.max(0, Date.parse(given.now) - Date.parse(row.run?.startedAt ?? given.now));
  const words = row.run?.words ?? 0;
  const { stats } = row;
  // It was asked for anew while it ran: then it is done once more.
  const isLast = row.status === 'running';
  await tx.update(translations, id, {
    status: isLast ? 'completed' : 'pending',
    target: space.id,
    state: { source, written, published, fingerprint },
    whole: isLast ? undefined : row.whole,
    run: undefined,
    updatedAt: given.now,
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

/** Who asked for the translation makes its revisions. */
async function callerOf(view: ReadTransaction, { createdBy, createdAt }: TranslationRow): Promise<Caller> {
  const user = (await view.get(users, createdBy)) ?? { id: createdBy, email: '', displayName: '', createdAt };
  return { user, owner: false, operator: false, organization: null, maxRole: null };
}
