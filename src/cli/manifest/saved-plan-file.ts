import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import type { StateOptions } from '../../manifest/state-file.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { confine, isInside, realPathOf } from '../../files/confine.ts';
import { readPlan, writePlan, type SavedPlan } from '../../manifest/saved-plan.ts';
import { holdsSecret } from '../../manifest/value.ts';
import { readText } from '../files.ts';
import { checkSave, saveFile } from '../save-file.ts';
import type { Session } from '../session.ts';
import { kindsWithContent } from './content-kinds.ts';
import { readRegular } from '../../files/read-regular.ts';
import type { SaveOptions } from '../fields.ts';

/** Maximum size of a saved plan in bytes. */
const maxPlanBytes = 64 * 1024 * 1024;

/**
 * Adds to a plan the path of its state file from the working folder, and the key of its hashes if that file does not
 * exist yet.
 */
export function withStatePath(
  document: PlanDocument,
  state: Pick<ManifestState, 'serial' | 'key'>,
  path: string,
  cwd: string,
): SavedPlan {
  const key = state.serial === 0 && holdsSecret(document.steps) ? { key: state.key } : {};
  return { ...document, lock: { ...document.lock, path: relative(cwd, path).replaceAll('\\', '/'), ...key } };
}

/** Gives a state file that does not exist yet the key of a plan, so that the hashes of secrets are the same. */
export function withPlanKey({ lock: { key } }: SavedPlan, options: StateOptions): StateOptions {
  return key === undefined ? options : { ...options, randomBytes: () => Buffer.from(key, 'hex') };
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

/** Saves a plan to a file. @throws Problem(guard-refused) if the file exists and is not to be overwritten */
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
 * Finds the state file of a saved plan: the given one, else the one that the plan was made with.
 * @throws Problem(guard-refused) if that is neither in the working folder nor in the folder of the plan
 */
export function findPlanState(
  { runtime: { cwd } }: Session,
  { lock: { path } }: SavedPlan,
  plan: string,
  given: string | undefined,
): string {
  const hint = 'Name it with --state docsctl.state.json.';
  if (given !== undefined) return resolve(cwd, given);
  if (path === undefined) throw new Problem('usage', 'The plan does not name its state file.', { hint });
  const target = resolve(cwd, path);
  const roots = plan === '-' ? [cwd] : [cwd, dirname(resolve(cwd, plan))];
  // A link on the way could lead out of the folders.
  if (roots.some((root) => isInside(root, target) && isInside(realPathOf(root), realPathOf(target))))
    return target;
  throw new Problem(
    'guard-refused',
    `The plan ${plan} uses the state file ${path}, which is in another folder.`,
    {
      hint: `Do not trust plans from unknown sources. If this is the right state file, add --state ${path}.`,
    },
  );
}

/**
 * Creates a function that reads the secrets of a saved plan again: variables, and files in the folder of the state file.
 * The apply checks that they are the same.
 */
export function createSecretReader(
  { env, cwd }: Session['runtime'],
  statePath: string,
): (from: string) => string | undefined {
  return (from) => {
    const [, source, name = ''] = /^(env|file|text of) (.+)$/s.exec(from) ?? [];
    if (source === 'env') return Object.hasOwn(env, name) ? env[name] : undefined;
    const folder = dirname(statePath);
    const target = confine(folder, folder, relative(folder, resolve(cwd, name)));
    if (source === undefined || 'refused' in target) return undefined;
    const read = readRegular(target.path, 4 * 1024 * 1024);
    if ('refused' in read) return undefined;
    const text = read.text.replace(/^\ufeff/, '');
    return source === 'file' ? text.replace(/\r?\n$/, '') : text;
  };
}

/** Whether a file is a plan, which another plan may replace. */
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
