import type { Command } from 'commander';
import { ingestBatch } from '../../resources/conversations/contract.ts';
import { Problem } from '../../errors/problem.ts';
import { createProgress } from '../output/progress.ts';
import { createNames } from '../names.ts';
import { createCheckpoint } from '../checkpoint.ts';
import { readRecords, type Entry } from '../records.ts';
import { createRejects } from '../rejects.ts';
import type { Session } from '../session.ts';
import type { RunIn } from './index.ts';

/** Conversations in one transaction: the durable write costs the same for all of them. */
const batchSize = 500;

interface Options {
  readonly file?: string[];
  readonly concurrency: string;
  readonly rejects?: string;
  readonly resume?: boolean;
}

interface Counts {
  created: number;
  updated: number;
  unchanged: number;
  failed: number;
}

export function define(command: Command, run: RunIn): void {
  command
    .argument('[file...]', 'files, as with -f')
    .option('-f, --file <file...>', 'NDJSON, a JSON array or YAML documents; - for standard input')
    .option('--concurrency <number>', 'batches under way at once', '2')
    .option('--rejects <file>', 'write what was not taken there, with the reason, one JSON line each')
    .option('--resume', 'go on after what the last run of the same files got done')
    .addHelpText(
      'after',
      '\nIngesting a conversation again changes nothing: its id tells.\n\nExamples:\n  docsctl conversations ingest -f support.ndjson\n  zcat support.ndjson.gz | docsctl conversations ingest -f -\n',
    )
    .action((named: string[]) => run((session) => ingest(session, command.opts(), named)));
}

async function ingest(session: Session, options: Options, named: readonly string[]): Promise<void> {
  const files = [...named, ...(options.file ?? [])];
  if (files.length === 0) throw new Problem('usage', 'Which file?', { hint: 'docsctl conversations ingest -f FILE.ndjson, or -f - for standard input.' });
  const concurrency = Number(options.concurrency);
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > 64) throw new Problem('usage', '--concurrency takes a number from 1 to 64.');
  const organizationId = await createNames(session).resolve('organizationId', undefined, {}, '');
  const api = await session.api();
  const counts: Counts = { created: 0, updated: 0, unchanged: 0, failed: 0 };
  const checkpoint = createCheckpoint(session.runtime, [api.place, organizationId, ...files], options.resume === true);
  const rejects = createRejects(session, options.rejects, options.resume === true);
  const progress = createProgress(session.terminal, { label: 'conversations', clock: session.runtime.clock });
  const dryRun = session.flags.dryRun === true;
  const send = async (batch: readonly Entry[]): Promise<void> => {
    if (dryRun) return;
    const result = await api.call(
      ingestBatch,
      { params: { organizationId }, body: { conversations: batch.map(({ value }) => value) as never } },
      { signal: session.runtime.signal },
    );
    counts.created += result.created;
    counts.updated += result.updated;
    counts.unchanged += result.unchanged;
  };
  const sendOrSplit = async (batch: readonly Entry[]): Promise<void> => {
    try {
      await send(batch);
    } catch (error) {
      if (!(error instanceof Problem) || (error.reason !== 'invalid-input' && error.reason !== 'too-large')) throw error;
      if (batch.length === 1) {
        counts.failed++;
        return rejects.add(
          batch[0]!,
          error.violations[0] === undefined ? error.message : `${error.violations[0].path.replace('/body/conversations/0', '')} ${error.violations[0].message}`,
        );
      }
      const half = batch.length >> 1;
      await sendOrSplit(batch.slice(0, half));
      await sendOrSplit(batch.slice(half));
    }
  };
  const underWay = new Set<Promise<void>>();
  let failure: unknown;
  const start = (batch: readonly Entry[]): void => {
    const acknowledge = dryRun ? undefined : checkpoint.begin(batch);
    const done = sendOrSplit(batch).then(() => {
      progress.tick(batch.length);
      acknowledge?.();
    });
    const settled = done.catch((error: unknown) => void (failure ??= error)).finally(() => underWay.delete(settled));
    underWay.add(settled);
  };
  let batch: Entry[] = [];
  for (const file of files) {
    for await (const entry of readRecords(session, file)) {
      if (failure !== undefined || session.runtime.signal.aborted) break;
      if (checkpoint.isDone(entry)) continue;
      if (entry.problem !== undefined) {
        counts.failed++;
        rejects.add(entry, entry.problem);
        continue;
      }
      batch.push(entry);
      if (batch.length < batchSize) continue;
      start(batch);
      batch = [];
      if (underWay.size >= concurrency) await Promise.race(underWay);
    }
    if (batch.length > 0 && failure === undefined && !session.runtime.signal.aborted) start(batch);
    batch = [];
  }
  await Promise.all(underWay);
  progress.done();
  rejects.close();
  if (failure === undefined && !session.runtime.signal.aborted && !dryRun) checkpoint.forget();
  await finish(session, counts, failure, dryRun);
}

async function finish(session: Session, counts: Counts, failure: unknown, dryRun: boolean): Promise<void> {
  const { created, updated, unchanged, failed } = counts;
  const verdict = `${dryRun ? 'Dry run, nothing was sent. ' : ''}${created} new, ${updated} changed, ${unchanged} unchanged, ${failed} failed.`;
  if (failure !== undefined || session.runtime.signal.aborted) {
    session.note(`Stopped before the end: ${verdict} Run it again with --resume, or without: what is in stays once.`);
    if (failure !== undefined) throw failure;
    throw new Problem('interrupted', 'Stopped by a signal; what was acknowledged is kept.');
  }
  const printer = await session.printer({ columns: ['created', 'updated', 'unchanged', 'failed'] });
  if (session.format !== 'table') {
    await printer.one(counts);
    await printer.end();
  }
  session.note(verdict);
  if (failed > 0)
    throw new Problem('partly-failed', `${failed} of ${created + updated + unchanged + failed} conversations were not taken.`, {
      hint: 'The lines above say why; --rejects FILE collects them all.',
    });
}
