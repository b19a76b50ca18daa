import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { Problem } from '../../errors/problem.ts';
import type { PlanDocument } from '../../manifest/plan-document.ts';
import { confine, readRegular } from '../../manifest/read/confine.ts';
import { readPlan, writePlan } from '../../manifest/saved-plan.ts';
import { readText } from '../files.ts';
import { checkSave, saveFile } from '../save-file.ts';
import type { SaveOptions } from '../save-options.ts';
import type { Session } from '../session.ts';
import { tableIn } from './table.ts';

/** A plan that knows where the lock is that it was made with. */
export type SavedPlan = PlanDocument & { readonly lock: { readonly path?: string } };

/** The same plan, with the path of its lock from the working folder, as places in the plan are. */
export function withLockPath(document: PlanDocument, path: string, cwd: string): SavedPlan {
  return { ...document, lock: { ...document.lock, path: relative(cwd, path).replaceAll('\\', '/') } };
}

/** Refuses a place for a plan that is taken by something else, before the plan is made. */
export function checkOut(session: Session, out: string | undefined): SaveOptions | undefined {
  if (out === undefined) return undefined;
  if (out === '-') throw new Problem('usage', '--out takes a file; -o json prints the plan.');
  const path = resolve(session.runtime.cwd, out);
  const force = isPlan(session, path);
  if (!force && existsSync(path) && statSync(path).isFile()) throw new Problem('guard-refused', `The file ${out} is there, and is no plan.`, { hint: 'Name another with --out.' });
  const options = { out, force };
  checkSave(session, options);
  return options;
}

export async function savePlan(session: Session, document: SavedPlan, options: SaveOptions): Promise<void> {
  await saveFile(session, { name: 'plan.json', contentType: 'application/json', bytes: Buffer.from(writePlan(document)) }, options);
}

export async function readSaved(session: Session, given: string): Promise<SavedPlan> {
  if (/\.ya?ml$/i.test(given)) throw new Problem('usage', `${given} looks like a manifest, and by position apply takes a saved plan.`, { hint: `docsctl apply -f ${given}` });
  return readPlan(await readText(session, given === '-' ? given : resolve(session.runtime.cwd, given), 256 * 1024 * 1024), given, tableIn(session, session.runtime.cwd));
}

/** The lock of a saved plan: the one named, else the one it was made with. */
export function lockPathIn(session: Session, { lock: { path } }: SavedPlan, named: string | undefined): string {
  const given = named ?? path;
  if (typeof given !== 'string') throw new Problem('usage', 'Where is the lock of this plan?', { hint: 'Name it with --lock docsctl.lock.json.' });
  return resolve(session.runtime.cwd, given);
}

/** Secrets of a saved plan, read again: variables, and files in the folder of the lock. Applying checks that they are the same. */
export function rereadSecret({ env, cwd }: Session['runtime'], lockPath: string): (from: string) => string | undefined {
  return (from) => {
    const [, source, name = ''] = /^(env|file|text of) (.+)$/s.exec(from) ?? [];
    if (source === 'env') return Object.hasOwn(env, name) ? env[name] : undefined;
    const target = confine(dirname(lockPath), dirname(lockPath), relative(dirname(lockPath), resolve(cwd, name)));
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
    return existsSync(path) && readPlan(readFileSync(path, 'utf8'), path, tableIn(session, session.runtime.cwd)).version === 1;
  } catch {
    return false;
  }
}
