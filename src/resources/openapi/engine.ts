import { addTime, hour } from '../../core/clock.ts';
import { Problem } from '../../errors/problem.ts';
import type { JobOutcome, Engine, JobContext } from '../../core/jobs.ts';
import type { WriteTransaction } from '../../core/store.ts';
import { readInChildProcess } from '../../specification/child-process-reader.ts';
import { sourceLimits } from '../../specification/parse-source.ts';
import { formatError, type SpecificationReport } from '../../specification/specification.ts';
import { requestCollection } from '../../content/collection/record-references.ts';
import { putText, readBlob } from '../../content/blobs.ts';
import { sha256 } from '../../content/hashing.ts';
import {
  specs,
  specVersions,
  type SpecRow,
  type SpecVersionRow,
} from '../../content/generated/specification-rows.ts';
import { plural, truncate } from '../../contract/values.ts';

/** Hours until a specification is fetched again, after success and after failure. */
const refetchHours = { succeeded: 6, failed: 1 };

type Failure = {
  readonly errorCode: NonNullable<SpecRow['errorCode']>;
  readonly errors: NonNullable<SpecRow['errors']>;
};

/** Fetches a specification, validates it, and stores it as a version if it can be published and is new. */
export const engine: Engine = {
  async run(context) {
    const spec = await context.write(async (tx) => {
      const row = await tx.get(specs, context.job.subject);
      return row === undefined ? undefined : tx.update(specs, row.id, { state: 'progress' });
    });
    if (spec === undefined) return undefined;
    const fetched = await readText(context, spec);
    if (typeof fetched !== 'string') return endWithFailure(context, spec, fetched);
    context.progress('checking');
    const read = await readInChildProcess(fetched, { signal: context.signal });
    const { facts } = read;
    if (facts === undefined) return endWithFailure(context, spec, failureOf(read));
    const warnings = messagesOf(read.errors);
    return {
      ...endWith(context, spec, refetchHours.succeeded, (tx) =>
        saveVersion(context, tx, spec, fetched, facts, warnings),
      ),
      ...(warnings.length === 0
        ? {}
        : { warning: `${spec.slug} has ${plural(warnings.length, 'mistake')}: ${warnings[0]?.message}` }),
    };
  },

  async failed(tx, { subject }, problem, now) {
    const spec = await tx.get(specs, subject);
    if (spec !== undefined)
      await saveFailure(tx, spec, { errorCode: 'PARSE_ERROR', errors: [{ message: problem.message }] }, now);
  },
};

/**
 * Ends a job with a write. The write is skipped if the source of the specification has changed meanwhile, which enqueued another
 * job.
 */
function endWith(
  { now }: JobContext,
  { id, sourceURL, given }: SpecRow,
  hours: number,
  work: (tx: WriteTransaction) => Promise<void>,
): JobOutcome {
  return {
    async write(tx) {
      const row = await tx.get(specs, id);
      if (row !== undefined && row.sourceURL === sourceURL && row.given === given) await work(tx);
    },
    ...(sourceURL === undefined ? {} : { repeatAt: addTime(now(), hours * hour) }),
  };
}

function endWithFailure(context: JobContext, spec: SpecRow, failure: Failure): JobOutcome {
  const [first] = failure.errors;
  const warning = `${spec.slug} could not be processed: ${first?.code ?? failure.errorCode}: ${first?.message ?? ''}`;
  return {
    ...endWith(context, spec, refetchHours.failed, (tx) => saveFailure(tx, spec, failure, context.now())),
    warning,
  };
}

/** Reads the text of a specification: from its address, or else the text that was last sent or stored. */
async function readText(
  { read, outgoing, signal, progress }: JobContext,
  { given, sourceURL, lastVersion }: SpecRow,
): Promise<string | Failure> {
  if (sourceURL === undefined) {
    const hash =
      given ??
      (await read(async (view) =>
        lastVersion === undefined ? undefined : (await view.get(specVersions, lastVersion))?.text,
      ));
    return hash === undefined
      ? { errorCode: 'PARSE_ERROR', errors: [{ message: 'The specification has no text.' }] }
      : read((view) => readBlob(view, hash));
  }
  progress(`fetching ${sourceURL}`);
  try {
    const { status, bytes } = await outgoing({
      url: sourceURL,
      headers: { accept: 'application/json, application/yaml, text/yaml, */*;q=0.5' },
      maxBytes: sourceLimits.bytes,
      signal,
    });
    if (status !== 200)
      return {
        errorCode: 'FETCH_ERROR',
        errors: [{ code: `HTTP_${status}`, message: `The server answered ${status}.` }],
      };
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError)
      return { errorCode: 'PARSE_ERROR', errors: [{ message: 'The response is not UTF-8 text.' }] };
    if (!(error instanceof Problem) || error.reason === 'interrupted') throw error;
    return {
      errorCode: error.reason === 'timed-out' ? 'FETCH_TIMEOUT' : 'FETCH_ERROR',
      errors: [{ code: error.reason, message: error.message }],
    };
  }
}

function failureOf({ errors }: SpecificationReport): Failure {
  return {
    errorCode: 'PARSE_ERROR',
    errors: messagesOf(errors),
  };
}

function messagesOf(errors: SpecificationReport['errors']): { code: string; message: string }[] {
  return errors.map((error) => ({ code: error.code, message: truncate(formatError(error), 1000) }));
}

/** Stores a failure. The last version is kept. */
async function saveFailure(
  tx: WriteTransaction,
  { id }: SpecRow,
  failure: Failure,
  now: string,
): Promise<void> {
  await tx.update(specs, id, { state: 'complete', given: undefined, lastProcessedAt: now, ...failure });
  await requestCollection(tx, now);
}

async function saveVersion(
  { now, newId }: JobContext,
  tx: WriteTransaction,
  spec: SpecRow,
  text: string,
  facts: Pick<SpecVersionRow, 'format' | 'title' | 'version' | 'operations' | 'webhooks' | 'schemas'>,
  warnings: Failure['errors'],
): Promise<void> {
  const lastVersion =
    spec.lastVersion === undefined ? undefined : await tx.get(specVersions, spec.lastVersion);
  const isKnown = lastVersion?.text === sha256(text);
  const id = isKnown ? lastVersion.id : newId('specv');
  if (!isKnown) {
    const { format, title, version, operations, webhooks, schemas } = facts;
    await tx.insert(specVersions, {
      id,
      organization: spec.organization,
      spec: spec.id,
      text: await putText(tx, text),
      bytes: Buffer.byteLength(text),
      createdAt: now(),
      format,
      title: truncate(title, 500),
      version: truncate(version, 100),
      operations,
      webhooks,
      schemas,
    });
  }
  await tx.update(specs, spec.id, {
    state: 'complete',
    given: undefined,
    lastVersion: id,
    lastProcessedAt: now(),
    errorCode: undefined,
    errors: warnings.length === 0 ? undefined : warnings,
  });
}
