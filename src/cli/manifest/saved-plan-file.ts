import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { isInside, realPathOf } from '../../files/confine.ts';
import { readRegular } from '../../files/read-regular.ts';
import type { FoundFile } from '../../manifest/read/find-files.ts';
import { limits } from '../../manifest/read/limits.ts';
import { readPlan, writePlan, type SavedPlan } from '../../manifest/saved-plan.ts';
import { digest } from '../../manifest/value.ts';
import { readText } from '../input/files.ts';
import { checkSave, saveFile } from '../results/save-file.ts';
import type { Session } from '../session/session.ts';
import { kindsWithContent } from './content-kinds.ts';
import type { SaveOptions } from '../input/fields.ts';

/** Maximum size of a saved plan in bytes. */
const maxPlanBytes = 64 * 1024 * 1024;

/**
 * Adds to a plan the path of its state file, relative to the working folder. Without a state file, only the texts of the files show
 * later that the plan belongs to a manifest.
 */
export function withStatePath(
  document: PlanDocument,
  path: string,
  cwd: string,
  files: readonly Pick<FoundFile, 'name' | 'path'>[] = [],
): SavedPlan {
  const known = document.lock.serial > 0 ? [] : files.filter((file) => file.path !== '-');
  const hashes = Object.fromEntries(known.map((file) => [file.name, hashOf(file.path)]));
  return {
    ...document,
    lock: {
      ...document.lock,
      path: relative(cwd, path).replaceAll('\\', '/'),
      ...(known.length > 0 ? { manifest: hashes } : {}),
    },
  };
}

/** Returns a hash of a text that ignores the kind of its line ends; empty if the file cannot be read. */
function hashOf(path: string): string {
  const read = readRegular(realPathOf(path), limits.bytes);
  return 'refused' in read ? '' : digest(read.text.replaceAll('\r\n', '\n'));
}

/**
 * Checks the destination of a plan before the plan is made. An older plan may be replaced.
 * @throws Problem(usage), Problem(guard-refused) if something else is there
 */
export function checkPlanFile(session: Session, out: string | undefined): SaveOptions | undefined {
  if (out === undefined) return undefined;
  if (out === '-') throw new Problem('usage', '--out needs a file name. To print the plan, use -o json.');
  const path = resolve(session.runtime.cwd, out);
  const force = isPlan(session, path);
  if (!force && existsSync(path) && statSync(path).isFile())
    throw new Problem('guard-refused', `The file ${out} already exists and is not a plan.`, {
      hint: 'Choose another file with --out.',
    });
  const options = { out, force };
  checkSave(session, options);
  return options;
}

/** Saves a plan to a file. @throws Problem(guard-refused) if the file exists and may not be overwritten */
export async function savePlan(session: Session, document: SavedPlan, options: SaveOptions): Promise<void> {
  await saveFile(
    session,
    { name: 'plan.json', contentType: 'application/json', bytes: Buffer.from(writePlan(document)) },
    options,
  );
}

/**
 * Reads a saved plan, or standard input for "-".
 *
 * @throws Problem(usage) for a manifest, Problem(invalid-input) for an invalid plan
 */
export async function readSavedPlan(session: Session, given: string): Promise<SavedPlan> {
  if (/\.ya?ml$/i.test(given))
    throw new Problem('usage', `${given} looks like a manifest, but the argument of apply is a saved plan.`, {
      hint: `Run \`docsctl apply -f ${given}\`.`,
    });
  return readPlan(
    await readText(session, given === '-' ? given : resolve(session.runtime.cwd, given), maxPlanBytes),
    given,
    kindsWithContent(session, session.runtime.cwd),
  );
}

/**
 * Finds the state file of a saved plan: the given one, or else the one with which the plan was made.
 * @throws Problem(guard-refused) if it is neither in the working folder nor in the folder of the plan
 * @throws Problem(usage), Problem(precondition-failed) if the plan was made in another folder
 */
export function findPlanState(
  { runtime: { cwd } }: Session,
  { lock: { path, manifest: hashes = {} }, steps }: SavedPlan,
  plan: string,
  given: string | undefined,
): string {
  const hint = 'Name it with --state docsctl.state.json.';
  if (given !== undefined) return resolve(cwd, given);
  if (path === undefined) throw new Problem('usage', 'The plan does not name its state file.', { hint });
  const target = resolve(cwd, path);
  const roots = plan === '-' ? [cwd] : [cwd, dirname(resolve(cwd, plan))];
  // A symbolic link in the path could lead out of the folders.
  if (roots.some((root) => isInside(root, target) && isInside(realPathOf(root), realPathOf(target)))) {
    const manifests = steps.flatMap(({ at }) => /^([^<].*):\d+:\d+$/.exec(at ?? '')?.[1] ?? []);
    const [manifest] = manifests;
    if (manifest !== undefined && ![path, ...manifests].some((file) => existsSync(resolve(cwd, file))))
      throw new Problem('usage', `There is no ${manifest} here, the manifest of the plan, and no ${path}.`, {
        hint: 'Run the command in the folder in which the plan was made, or name the state file with --state.',
      });
    const other = Object.keys(hashes).find((name) => hashOf(resolve(cwd, name)) !== hashes[name]);
    if (other !== undefined && !existsSync(target))
      throw new Problem(
        'precondition-failed',
        `${other} is not the manifest that the plan was made from, or it has changed since.`,
        {
          hint: 'Run the command in the folder in which the plan was made, or make a new plan with `docsctl plan --out FILE`.',
        },
      );
    return target;
  }
  throw new Problem(
    'guard-refused',
    `The plan ${plan} uses the state file ${path}, which is in another folder.`,
    {
      hint: `Do not trust plans from unknown sources. If this is the right state file, add --state ${path}.`,
    },
  );
}

/** Whether a file is a plan, which may be replaced by another plan. */
function isPlan(session: Session, path: string): boolean {
  try {
    return (
      existsSync(path) &&
      readPlan(readFileSync(path, 'utf8'), path, kindsWithContent(session, session.runtime.cwd)).version === 1
    );
  } catch {
    return false;
  }
}
