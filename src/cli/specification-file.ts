import { dirname, relative, resolve } from 'node:path';
import { realpathSync } from 'node:fs';
import { Problem } from '../errors/problem.ts';
import { confine, readRegular } from '../manifest/read/confine.ts';
import { bundleSpecification } from '../specification/bundle.ts';
import { readApart } from '../specification/read-apart.ts';
import { sourceLimits, type SourcePlace } from '../specification/source-text.ts';
import type { SpecificationReading } from '../specification/specification.ts';
import { readText } from './files.ts';
import type { Session } from './session.ts';

export interface SpecificationFile {
  /** As one text, with the files that it refers to in it. */
  readonly text: string;
  readonly read: SpecificationReading;
}

/** Reads a specification from a file, or standard input for "-"; other files that it refers to lie beside or below it. */
export async function readSpecificationFile(session: Session, given: string): Promise<SpecificationFile> {
  const { cwd } = session.runtime;
  const text = await readText(session, given === '-' ? given : resolve(cwd, given), sourceLimits.bytes);
  const whole = given === '-' ? text : await withOtherFiles(text, realpathSync(resolve(cwd, given)), realpathSync(cwd));
  return { text: whole, read: await readApart(whole, { signal: session.runtime.signal }) };
}

/** Refuses a specification that has errors, with each and its place. */
export function refuseErrors(given: string, { errors }: SpecificationReading): void {
  if (errors.length === 0) return;
  throw new Problem('invalid-input', `${given} is no valid OpenAPI specification: ${errors.length === 1 ? 'one error' : `${errors.length} errors`}.`, {
    violations: errors.map(({ at, code, message, pointer }) => ({
      path: `${given}:${at.line}:${at.column}`,
      message: `${code}: ${message}${pointer === '' ? '' : ` (${pointer})`}`,
    })),
    hint: 'Mend what is named, then run this again.',
  });
}

async function withOtherFiles(text: string, file: string, cwd: string): Promise<string> {
  const root = dirname(file);
  const shown = (path: string): string => (relative(cwd, path).startsWith('..') ? path : relative(cwd, path));
  const load = (reference: string, from: string, { line, column }: SourcePlace) => {
    const refused = (why: string) =>
      new Problem('invalid-input', `${shown(from)}:${line}:${column} refers to ${JSON.stringify(reference)}, which ${why}.`, {
        hint: 'Files of a specification lie beside it or below.',
      });
    if (/^[a-z][a-z0-9+.-]*:/i.test(reference)) throw refused('is an address; only files are brought together');
    const path = decoded(reference);
    if (path === undefined) throw refused('is no address: a percent sign in it stands for nothing');
    const target = confine(root, dirname(from), path);
    if ('refused' in target) throw refused(target.refused.replaceAll("the manifest's folder", 'the folder of the specification'));
    const read = readRegular(target.path, sourceLimits.bytes);
    if ('refused' in read) throw refused(read.refused);
    return { name: target.path, text: read.text };
  };
  return bundleSpecification(text, file, { load, shown }) ?? text;
}

function decoded(reference: string): string | undefined {
  try {
    return decodeURI(reference);
  } catch {
    return undefined;
  }
}
