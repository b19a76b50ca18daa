import { resolve } from 'node:path';
import { plural } from '../../../contract/values.ts';
import { reasonNamed } from '../../../errors/catalog.ts';
import { isProblem, Problem } from '../../../errors/problem.ts';
import { noteRepeated, reportCounts, summarizeIngest } from '../../../ingest/summarize-ingest.ts';
import { createRejects } from '../../../ingest/rejects.ts';
import { runIngest, type IngestResult } from '../../../ingest/run-ingest.ts';
import { openSavedCheckpoints } from '../../../ingest/saved-checkpoints.ts';
import { findSources } from '../../../ingest/source.ts';
import { listClusters } from '../../../resources/conversation-clusters/contract.ts';
import { listIssues } from '../../../resources/conversation-issues/contract.ts';
import { getAnalysis } from '../../../resources/conversations/contract.ts';
import type { DefineCommand } from '../../composite-command.ts';
import { ingestHost } from '../../input/files.ts';
import { resolveOrganization } from '../../names/names.ts';
import { refuseIds } from '../../output/id.ts';
import { createProgress } from '../../output/progress.ts';
import type { Session } from '../../session/session.ts';
import { settingsFolder } from '../../settings/settings.ts';
import { waitForJob } from '../../session/wait.ts';
import {
  addIngestOptions,
  adviseRejected,
  readOptions,
  whereRejects,
  type IngestOptions,
  type MappedOptions,
} from './ingest-options.ts';
import { openPreview } from './ingest-preview.ts';

export { help } from './ingest-options.ts';

export const define: DefineCommand = (command, inSession) => {
  addIngestOptions(command.argument('[file...]', 'files of conversations, like -f')).action(
    inSession(ingest),
  );
};

async function ingest(session: Session, files: readonly string[], options: IngestOptions): Promise<void> {
  const { runtime, flags } = session;
  if (flags.dryRun !== true) refuseIds(session);
  const words = [...files, ...(options.file ?? [])];
  if (words.length === 0)
    throw new Problem('usage', 'No file is given.', {
      hint: 'Give a file, or - for standard input: `docsctl conversations ingest FILE`',
    });
  const read = readOptions(options);
  const sources = findSources(words, runtime.cwd);
  const organizationId = await resolveOrganization(session);
  const api = await session.api();
  const resume = options.resume === true;
  const { map = [], role = [], source, groupBy, redact, onDuplicate, format, idFrom } = options;
  const marks = openSavedCheckpoints(
    { settingsFolder: settingsFolder(runtime), clock: runtime.clock },
    [api.place, organizationId, words, { map, role, source, groupBy, redact, onDuplicate, format, idFrom }],
    resume,
  );
  const rejects = createRejects({
    path: options.rejects === undefined ? undefined : resolve(runtime.cwd, options.rejects),
    name: options.rejects,
    append: resume,
    note: session.note,
    moreHint: whereRejects(options),
  });
  const progress = createProgress(session.terminal, { label: 'conversations', clock: runtime.clock });
  const preview =
    flags.dryRun === true ? await openPreview(session, { ...options, mapping: read.mapping }) : undefined;
  const done = await runIngest(
    ingestHost(session),
    { api, organizationId },
    {
      ...read,
      sources,
      checkpoints: marks,
      rejects,
      progress,
      preview: preview?.show,
    },
  );
  if (preview !== undefined) return preview.end(done);
  if (done.failure === undefined && !done.interrupted) marks.forget();
  await finish(session, organizationId, done, { ...options, mapping: read.mapping });
}

async function finish(
  session: Session,
  organizationId: string,
  done: IngestResult,
  options: MappedOptions,
): Promise<void> {
  const { counts, failure, interrupted } = done;
  const verdict = summarizeIngest(done);
  const total = counts.created + counts.updated + counts.unchanged + counts.kept + counts.failed;
  if (failure !== undefined || interrupted) {
    if (total > 0 || interrupted) session.note(`Stopped before the end: ${verdict}${nextStep(done)}`);
    throw (
      (failure as Error | undefined) ??
      new Problem('interrupted', 'Interrupted. Conversations that were acknowledged are kept.')
    );
  }
  noteRepeated(done, { mapping: options.mapping, groupBy: '--group-by' }, session.note);
  const result = reportCounts(done, {
    kept: options.onDuplicate === 'skip',
    redacted: options.redact !== undefined,
  });
  const printer = await session.printer({ columns: Object.keys(result) });
  if (session.format !== 'table') await printer.one(result);
  if (options.wait === true) {
    session.note(verdict);
    await waitForAnalysis(session, organizationId);
    await noteAnalysis(session, organizationId);
  } else {
    // The verdict must be the last line.
    if (counts.created + counts.updated > 0) {
      const isRemote = (await session.api()).work === undefined;
      session.note(
        isRemote
          ? 'The server analyzes the conversations in the background. To wait for it, add --wait.'
          : 'The conversations are not analyzed yet. If a server uses this store, the server analyzes them. Otherwise, run `docsctl jobs run`.',
      );
    }
    session.note(verdict);
  }
  if (counts.failed > 0)
    throw new Problem(
      'partly-failed',
      `${counts.failed} of ${plural(total, 'conversation')} ${counts.failed === 1 ? 'was' : 'were'} rejected.`,
      { hint: adviseRejected(done, total, options) },
    );
}

/** Returns how to continue after an ingest that stopped, if some conversations were acknowledged. */
function nextStep({ counts, failure, interrupted }: IngestResult): string {
  const { created, updated, unchanged, kept } = counts;
  if (created + updated + unchanged + kept === 0 && !interrupted) return '';
  const isFaulty = isProblem(failure, 'invalid-input', 'too-large', 'usage');
  return ` ${isFaulty ? 'Correct the file, and run' : 'Run'} the command again with --resume to continue.`;
}

/** Waits until the conversations of an organization are analyzed. In an embedded store, it runs the analysis itself. */
async function waitForAnalysis(session: Session, organizationId: string): Promise<void> {
  const api = await session.api();
  const { state, problem } = await waitForJob(session, {
    kind: 'conversations',
    subject: organizationId,
    read: (signal) => api.call(getAnalysis, { params: { organizationId } }, { signal }),
    isDone: (analysis) => analysis.state === 'idle' || analysis.state === 'failed',
    describe: ({ batches }) =>
      batches > 0 ? `${plural(batches, 'batch', 'batches')} to analyze` : 'grouping issues',
    command: 'docsctl conversations analysis',
    onTrouble: session.note,
  });
  if (state === 'failed')
    throw new Problem(
      reasonNamed(problem?.reason) ?? 'unexpected',
      `The conversations were stored, but the analysis failed: ${problem?.message ?? 'the reason is unknown'}`,
      { hint: `Correct this, then try again: \`docsctl jobs retry conversations.${organizationId}\`` },
    );
}

/** Notes the numbers of issues and clusters, and the commands that show them. */
async function noteAnalysis(session: Session, organizationId: string): Promise<void> {
  const input = { params: { organizationId }, query: { limit: 0 } };
  const issues = await session.call(listIssues, input);
  const clusters = await session.call(listClusters, input);
  if (session.terminal.stderrIsTTY)
    session.note('`docsctl conversations clusters list` shows what they are about.');
  const count = (number: number | undefined, noun: string) =>
    `${number ?? 'some'} ${noun}${number === 1 ? '' : 's'}`;
  session.note(`Analyzed: ${count(issues.count, 'issue')} in ${count(clusters.count, 'cluster')}.`);
}
