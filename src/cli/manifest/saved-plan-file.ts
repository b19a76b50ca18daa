import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { ManifestState } from '../../manifest/manifest-state.ts';
import type { StateOptions } from '../../manifest/state-file.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { confine, isInside } from '../../files/confine.ts';
import { readPlan, writePlan, type SavedPlan } from '../../manifest/saved-plan.ts';
import { holdsSecret } from '../../manifest/value.ts';
import { readText } from '../files.ts';
import { checkSave, saveFile } from '../save-file.ts';
import type { Session } from '../session.ts';
import { kindsWithContent } from './content-kinds.ts';
import { readRegular } from '../../files/read-regular.ts';
import type { SaveOptions } from '../fields.ts';

/** Bytes of a saved plan. */
const maxPlanBytes = 64 * 1024 * 1024;

/** The same plan, with the path of its lock from the working folder, as places in the plan are, and what keys its hashes where no lock is written yet. */
export function withStatePath(
  document: PlanDocument,
  lock: Pick<ManifestState, 'serial' | 'key'>,
  path: string,
  cwd: string,
): SavedPlan {
  const key = lock.serial === 0 && holdsSecret(document.steps) ? { key: lock.key } : {};
  return { ...document, lock: { ...document.lock, path: relative(cwd, path).replaceAll('\\', '/'), ...key } };
}

/** The place of a lock that gets the key of the plan, where it is not written yet: secrets are the same by that. */
export function withPlanKey({ lock: { key } }: SavedPlan, options: StateOptions): StateOptions {
  return key === undefined ? options : { ...options, randomBytes: () => Buffer.from(key, 'hex') };
}

/** Refuses a place for a plan that is taken by something else, before the plan is made. */
export function checkPlanFile(session: Session, out: string | undefined): SaveOptions | undefined {
  if (out === undefined) return undefined;
  if (out === '-') throw new Problem('usage', '--out takes a file; -o json prints the plan.');
  const path = resolve(session.runtime.cwd, out);
  const force = isPlan(session, path);
  if (!force && existsSync(path) && statSync(path).isFile())
    throw new Problem('guard-refused', `The file ${out} is there, and is no plan.`, {
      hint: 'Name another with --out.',
    });
  const options = { out, force };
  checkSave(session, options);
  return options;
}

export async function savePlan(session: Session, document: SavedPlan, options: SaveOptions): Promise<void> {
  await saveFile(
    session,
    { name: 'plan.json', contentType: 'application/json', bytes: Buffer.from(writePlan(document)) },
    options,
  );
}

export async function readSavedPlan(session: Session, given: string): Promise<SavedPlan> {
  if (/\.ya?ml$/i.test(given))
    throw new Problem('usage', `${given} looks like a manifest, and by position apply takes a saved plan.`, {
      hint: `docsctl apply -f ${given}`,
    });
  return readPlan(
    await readText(session, given === '-' ? given : resolve(session.runtime.cwd, given), maxPlanBytes),
    given,
    kindsWithContent(session, session.runtime.cwd),
  );
}

/** The lock of a saved plan: the one named, else the one it was made with, in the working folder or that of the plan. */
export function findPlanState(
  { runtime: { cwd } }: Session,
  { lock: { path } }: SavedPlan,
  plan: string,
  named: string | undefined,
): string {
  const hint = 'Name it with --lock docsctl.lock.json.';
  if (named !== undefined) return resolve(cwd, named);
  if (path === undefined) throw new Problem('usage', 'Where is the lock of this plan?', { hint });
  const target = resolve(cwd, path);
  const roots = plan === '-' ? [cwd] : [cwd, dirname(resolve(cwd, plan))];
  // A link on the way would lead out of them as well.
  if (roots.some((root) => isInside(root, target) && isInside(realPathOf(root), realPathOf(target))))
    return target;
  throw new Problem('guard-refused', `The plan ${plan} names a lock elsewhere, ${path}.`, {
    hint: `A plan that you did not make may mean no good. If that is its lock: --lock ${path}`,
  });
}

/** The real place of what may not be there yet. */
function realPathOf(path: string): string {
  const above = dirname(path);
  return existsSync(path) || above === path ? realpathSync(path) : join(realPathOf(above), basename(path));
}

/** Secrets of a saved plan, read again: variables, and files in the folder of the lock. Applying checks that they are the same. */
export function createSecretReader(
  { env, cwd }: Session['runtime'],
  lockPath: string,
): (from: string) => string | undefined {
  return (from) => {
    const [, source, name = ''] = /^(env|file|text of) (.+)$/s.exec(from) ?? [];
    if (source === 'env') return Object.hasOwn(env, name) ? env[name] : undefined;
    const target = confine(
      dirname(lockPath),
      dirname(lockPath),
      relative(dirname(lockPath), resolve(cwd, name)),
    );
    if (source === undefined || 'refused' in target) return undefined;
    const read = readRegular(target.path, 4 * 1024 * 1024);
    if ('refused' in read) return undefined;
    const text = read.text.replace(/^\ufeff/, '');
    return source === 'file' ? text.replace(/\r?\n$/, '') : text;
  };
}

/** Only a plan is written over a plan. */
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
