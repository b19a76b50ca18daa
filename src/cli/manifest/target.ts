import { existsSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Api } from '../../contract/api.ts';
import { interruptedProblem } from '../../contract/event-loop.ts';
import { listSome, plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import { makePlan } from '../../manifest/plan.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { formatLocation, type SourceLocation } from '../../manifest/read/faults.ts';
import { retryingApi } from '../../manifest/retrying-api.ts';
import {
  openStateFile,
  readStateFile,
  findStatePath,
  type StateHandle,
  type StateOptions,
} from '../../manifest/state-file.ts';
import { surveyLive, type Survey, type SurveyRequest } from '../../manifest/survey.ts';
import { getOrganization } from '../../resources/organizations/contract.ts';
import { resolveOrganization } from '../names/names.ts';
import type { Session } from '../session/session.ts';
import type { LoadedManifest } from './load-manifest.ts';
import { checkPrune, type LiveOptions, type StateSource } from './options.ts';
import { showPlan } from './show-plan.ts';
import { withSourceInHints } from './source-in-hints.ts';

/** The live organization for a manifest, and the state file, which lists the resources that the manifest owns in it. */
export interface Target {
  readonly api: Api;
  readonly organization: string;
  readonly stateOptions: StateOptions;
}

/**
 * Opens the organization that a manifest names (default: the organization of the command), and the state file beside the
 * manifest.
 */
export async function openTarget(
  session: Session,
  manifest: LoadedManifest,
  { state: given }: Pick<LiveOptions, 'state'>,
): Promise<Target> {
  const { cwd } = session.runtime;
  const path = given === undefined ? findStatePath(manifest.files[0]?.root ?? cwd) : resolve(cwd, given);
  return targetAt(session, await resolveTargetOrganization(session, manifest), path);
}

/** Opens the target of a state file without reading its manifest. */
export async function openStateTarget(session: Session, source: StateSource): Promise<Target> {
  const path = findStateFile(session, source);
  return targetAt(session, await chooseOrganization(session, path), path);
}

/** Opens a known organization with a known state file. */
export async function targetAt(session: Session, organization: string, path: string): Promise<Target> {
  const { flags } = session;
  const { clock, signal, randomBytes } = session.runtime;
  const api = retryingApi(await session.api(), {
    maxWait: flags.retryMaxWait === undefined ? undefined : Number(flags.retryMaxWait),
    clock,
    wait: (milliseconds, given) =>
      setTimeout(milliseconds, undefined, { signal: given ?? signal }).catch(() => {
        throw interruptedProblem();
      }),
    onWait: (seconds) => session.note(`The server limits requests. Waiting ${plural(seconds, 'second')}.`),
  });
  return { api, organization, stateOptions: { path, place: api.place, organization, randomBytes } };
}

/** Reads the live resources for a manifest. `formerId` may decide between several matches. */
export function surveyTarget(
  session: Session,
  { desired, table }: LoadedManifest,
  { api, organization }: Pick<Target, 'api' | 'organization'>,
  { state, concurrency, formerId }: Pick<SurveyRequest, 'state' | 'formerId' | 'concurrency'>,
): Promise<Survey> {
  const { signal } = session.runtime;
  return surveyLive({ api, organization, desired, state, concurrency, signal, table, formerId });
}

/** Compares a manifest with its target. If the plan is refused, it is shown before the error. */
export async function planTarget(
  session: Session,
  manifest: LoadedManifest,
  target: Target,
  state: ManifestState,
  options: LiveOptions,
  onSurvey: (survey: Survey) => void = () => {},
): Promise<PlanDocument> {
  const { desired, table } = manifest;
  const { concurrency, prune, maxDeletes, only, exclude } = options;
  if (state.movedFrom !== undefined)
    session.note(`The state file was last used for the same organization on ${state.movedFrom}.`);
  checkPrune(options);
  const survey = await surveyTarget(session, manifest, target, { state, concurrency });
  onSurvey(survey);
  let refused: PlanDocument | undefined;
  const onRefused = (document: PlanDocument) => void (refused = document);
  try {
    return makePlan({ desired, survey, state, prune, maxDeletes, only, exclude, table, onRefused });
  } catch (error) {
    if (refused !== undefined) await showPlan(session, withSourceInHints(session, refused, options));
    throw error;
  }
}

/** Milliseconds to wait for the lock: enough for another run that is about to end. */
const lockTimeout = 2000;

/** Runs work while no other run may change the state file. `read` comes from `openStateFile`. */
export async function withLockedState<T>(
  { stateOptions }: Target,
  work: (handle: StateHandle) => Promise<T>,
  read?: Parameters<typeof openStateFile>[2],
): Promise<T> {
  const { lockFile } = await import('../../stores/file-lock.ts');
  const handle = await openStateFile(stateOptions, (path) => lockFile(path, lockTimeout), read);
  try {
    return await work(handle);
  } finally {
    await handle.release();
  }
}

async function resolveTargetOrganization(session: Session, { desired }: LoadedManifest): Promise<string> {
  const stated = desired.organization;
  if (stated === undefined) return resolveOrganization(session);
  const id = await resolveStatedOrganization(session, String(stated.value), stated.at);
  await refuseOtherOrganization(session, id, 'The manifest', {
    hint: `Omit --org, or remove "id" from "org:" in the manifest. \`docsctl export --portable -d FOLDER --org ${id}\` writes a manifest for other organizations.`,
  });
  return id;
}

/** Refuses to use a manifest or plan for another organization than the one that --org names. @throws Problem(usage) */
export async function refuseOtherOrganization(
  session: Session,
  id: string,
  what: string,
  details: { hint: string },
): Promise<void> {
  const { org } = session.flags;
  if (org === undefined || (await resolveOrganization(session, org)) === id) return;
  throw new Problem('usage', `${what} is for organization ${id}, but --org names ${org}.`, details);
}

/**
 * Reads the organization that a manifest names. It may not exist, for example if the manifest was exported from another store.
 */
async function resolveStatedOrganization(
  session: Session,
  stated: string,
  at: SourceLocation,
): Promise<string> {
  const location = formatLocation(at);
  try {
    const organizationId = await resolveOrganization(session, stated);
    await session.call(getOrganization, { params: { organizationId } });
    return organizationId;
  } catch (cause) {
    if (!(cause instanceof Problem)) throw cause;
    if (cause.reason === 'ambiguous')
      throw new Problem('ambiguous', `${location}: ${cause.message}`, { hint: cause.hint, cause });
    if (cause.reason !== 'not-found') throw cause;
    throw new Problem(
      'not-found',
      `${location}: the organization "${stated}" does not exist here, or you are not a member.`,
      {
        hint: 'Remove "id" from "org:" in the manifest to use the organization of --org, or choose another store or server. List your organizations with `docsctl orgs list`.',
        violations: [
          {
            path: location,
            message: 'no organization of yours has this ID, hostname or title',
          },
        ],
        cause,
      },
    );
  }
}

/** Finds the given state file, or else the one of a manifest. @throws Problem(not-found) */
function findStateFile({ runtime: { cwd } }: Session, { state: given, file }: StateSource): string {
  const folders = file === undefined ? [cwd, join(cwd, 'docsctl')] : [folderOf(resolve(cwd, file), file)];
  const candidates = given === undefined ? folders.map(findStatePath) : [resolve(cwd, given)];
  const found = candidates.find((path) => existsSync(path));
  if (found !== undefined) return found;
  throw noStateFile(given, file);
}

/** Returns the Problem for a missing state file: the given one, or the one of a manifest. */
export function noStateFile(given: string | undefined, file: string | undefined): Problem {
  const where = file === undefined ? 'here' : `beside ${file}`;
  return new Problem(
    'not-found',
    given === undefined ? `There is no state file ${where}.` : `There is no state file ${given}.`,
    {
      hint:
        given === undefined
          ? `${file === undefined ? 'Name the manifest with -f FILE, or the state file' : 'If the state file is elsewhere, name it'} with --state FILE. The first apply writes it beside the manifest.`
          : 'The first apply writes the state file beside the manifest.',
    },
  );
}

/** Returns the folder of a manifest, which may be a file or a folder. @throws Problem(not-found) */
function folderOf(path: string, shown: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) return found.isDirectory() ? path : dirname(path);
  throw new Problem('not-found', `There is no manifest ${shown}.`, {
    hint: 'Name the manifest with -f FILE, or the state file with --state FILE.',
  });
}

/** Chooses one of the organizations of a state file. @throws Problem(not-found), Problem(usage) if there are several */
async function chooseOrganization(session: Session, path: string): Promise<string> {
  const { place } = await session.api();
  const { sections } = readStateFile(path);
  const shown = relative(session.runtime.cwd, path);
  const all = new Set(sections.map(({ organization }) => organization));
  // Organizations that were applied at this address are preferred, although an ID is unique.
  const here = new Set(
    sections.flatMap((section) => (section.place === place ? [section.organization] : [])),
  );
  const [first, ...others] = here.size === 0 ? all : here;
  if (first === undefined)
    throw new Problem('not-found', `The state file ${shown} is empty.`, {
      hint: 'Run `docsctl apply` first.',
    });
  const org = session.settings.org?.value;
  if (org !== undefined) {
    const organization = all.has(org) ? org : await resolveOrganization(session, org);
    if (all.has(organization)) return organization;
    throw new Problem(
      'not-found',
      `The state file ${shown} has no entries for organization ${organization}.`,
      { hint: `It is for ${listSome([...all])}. Choose it with --org.` },
    );
  }
  if (others.length === 0) return first;
  throw new Problem('usage', `The state file ${shown} is for ${others.length + 1} organizations.`, {
    hint: `Choose one with --org: ${listSome([first, ...others], 10)}.`,
  });
}
