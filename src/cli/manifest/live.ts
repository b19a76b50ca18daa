import { join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Api } from '../../contract/api.ts';
import { Problem } from '../../errors/problem.ts';
import {
  openStateFile,
  stateFileName,
  type StateHandle,
  type StateOptions,
} from '../../manifest/state-file.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { formatLocation, type SourceLocation } from '../../manifest/read/source-location.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { retryingApi } from '../../manifest/retrying-api.ts';
import { makePlan } from '../../manifest/plan.ts';
import { surveyLive, type Survey, type SurveyRequest } from '../../manifest/survey.ts';
import { resolveOrganization } from '../names.ts';
import { createStyler } from '../output/style.ts';
import type { Session } from '../session.ts';
import { concealPlan } from './conceal.ts';
import type { LiveOptions } from './options.ts';
import { planText } from './plan-text.ts';
import type { Reading } from './read-wanted.ts';

/** What a manifest is compared with: an organization somewhere, and the lock that says what is owned there. */
export interface Live {
  readonly api: Api;
  readonly organization: string;
  readonly lockOptions: StateOptions;
}

/** Opens the place of the settings, with the organization that the manifest names, else that of the command. */
export async function openLive(session: Session, reading: Reading, options: LiveOptions): Promise<Live> {
  const organization = await organizationFor(session, reading);
  return liveAt(session, organization, lockPathOf(session, reading, options));
}

/** The same for an organization and a lock that are known. */
export async function liveAt(session: Session, organization: string, path: string): Promise<Live> {
  const { clock, signal } = session.runtime;
  const api = retryingApi(await session.api(), {
    clock,
    wait: (milliseconds, given) =>
      setTimeout(milliseconds, undefined, { signal: given ?? signal }).catch(() => signal.throwIfAborted()),
    onWait: (seconds) => session.note(`The server takes no more calls for now: waiting ${seconds} s.`),
  });
  return {
    api,
    organization,
    lockOptions: { path, place: api.place, organization, randomBytes: session.runtime.randomBytes },
  };
}

/** Reads the live side of a manifest; `formerId` may decide between several matches. */
export function surveySession(
  session: Session,
  { desired, table }: Pick<Reading, 'desired' | 'table'>,
  { api, organization }: Pick<Live, 'api' | 'organization'>,
  { state, jobs, formerId }: Pick<SurveyRequest, 'state' | 'formerId'> & { readonly jobs: number },
): Promise<Survey> {
  const { signal } = session.runtime;
  return surveyLive({ api, organization, desired, state, concurrency: jobs, signal, table, formerId });
}

/** Compares a manifest with what is live. */
export async function planLive(
  session: Session,
  { desired, table }: Reading,
  { api, organization }: Live,
  lock: ManifestState,
  options: LiveOptions,
): Promise<PlanDocument> {
  const { jobs, prune, maxDeletes } = options;
  if (lock.movedFrom !== undefined)
    session.note(`The lock was last used on ${lock.movedFrom}; the organization here is the same.`);
  if (maxDeletes !== undefined && prune !== true)
    throw new Problem('usage', '--max-deletes goes with --prune; without it nothing is deleted.');
  const survey = await surveySession(
    session,
    { desired, table },
    { api, organization },
    { state: lock, jobs },
  );
  let refused: PlanDocument | undefined;
  try {
    return concealPlan(
      makePlan({
        desired,
        survey,
        state: lock,
        prune,
        maxDeletes,
        table,
        onRefused: (document) => (refused = document),
      }),
      table,
    );
  } catch (error) {
    if (refused !== undefined) await showRefused(session, concealPlan(refused, table));
    throw error;
  }
}

/** A plan that is refused is to be looked at still, and is none for scripts. */
export async function showRefused({ terminal, format }: Session, document: PlanDocument): Promise<void> {
  if (format !== 'table' && !terminal.stderrIsTTY) return;
  await terminal.stderr.write(planText(document, await createStyler(terminal.color && terminal.stderrIsTTY)));
}

/** Does work while no other run may change what the lock says; `read` is as in `holdLock`. */
export async function holdingLock<T>(
  { lockOptions }: Live,
  work: (held: StateHandle) => Promise<T>,
  read?: Parameters<typeof openStateFile>[2],
): Promise<T> {
  const { lockFile } = await import('../../stores/file-lock.ts');
  const held = await openStateFile(lockOptions, (path) => lockFile(path, lockTimeout), read);
  try {
    return await work(held);
  } finally {
    await held.release();
  }
}

/** Milliseconds to wait for another run: one that is at its end. */
const lockTimeout = 2000;

async function organizationFor(session: Session, { desired }: Reading): Promise<string> {
  const stated = desired.organization;
  if (stated === undefined) return resolveOrganization(session);
  const id = await organizationStated(session, String(stated.value), stated.at);
  const { org } = session.flags;
  if (org !== undefined && (await resolveOrganization(session, org)) !== id) {
    throw new Problem('usage', `The manifest is for organization ${id}, and --org says ${org}.`, {
      hint: 'Leave --org out, or take "id" out of "org:" in the manifest.',
    });
  }
  return id;
}

/** What the manifest says is looked up first: an export of another store names an organization that only that has. */
async function organizationStated(session: Session, stated: string, at: SourceLocation): Promise<string> {
  try {
    const id = await resolveOrganization(session, stated);
    await (
      await session.api()
    ).call(getOrganization, { params: { organizationId: id } }, { signal: session.runtime.signal });
    return id;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.reason === 'ambiguous')
      throw new Problem('ambiguous', `${formatLocation(at)}: ${error.message}`, {
        hint: error.hint,
        cause: error,
      });
    if (error.reason !== 'not-found') throw error;
    throw new Problem(
      'not-found',
      `${formatLocation(at)}: there is no organization "${stated}" here that you can see.`,
      {
        hint: 'Take "id" out of "org:" in the manifest, so that it is for the organization of --org; or name the store or server that has this one. `docsctl orgs list` shows those there are.',
        violations: [
          {
            path: formatLocation(at),
            message: 'no organization that you can see here has this id, hostname or title',
          },
        ],
        cause: error,
      },
    );
  }
}

function lockPathOf({ runtime: { cwd } }: Session, { files }: Reading, { lock }: LiveOptions): string {
  return lock === undefined ? join(files[0]?.root ?? cwd, stateFileName) : resolve(cwd, lock);
}
