import { dirname, relative, resolve } from 'node:path';
import { realpathSync } from 'node:fs';
import { Problem } from '../../../errors/problem.ts';
import { confine, isInside } from '../../../files/confine.ts';
import { readRegular } from '../../../files/read-regular.ts';
import { bundleSpecification, type Bundle } from '../../../specification/bundle-specification.ts';
import { readInChildProcess } from '../../../specification/child-process-reader.ts';
import { isJsonFileName, sourceLimits, type TextPosition } from '../../../specification/parse-source.ts';
import { formatPointer, parsePointer } from '../../../specification/specification-tree.ts';
import type { SpecificationError, SpecificationReport } from '../../../specification/specification.ts';
import { readText } from '../../files.ts';
import type { Session } from '../../session.ts';

export interface SpecificationFile {
  /** As one text, with the files that it refers to in it. */
  readonly text: string;
  readonly read: SpecificationReport;
}

/** Reads a specification from a file, or standard input for "-"; other files that it refers to lie beside or below it, or in the folder that is named. */
export async function readSpecificationFile(
  session: Session,
  given: string,
  folder?: string,
): Promise<SpecificationFile> {
  const { cwd, signal } = session.runtime;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given))
    throw new Problem('usage', `${given} is an address, not a file.`, {
      hint: 'Fetch it and pipe it in: … | docsctl openapi validate -. docsctl openapi publish takes an address.',
    });
  const text = await readText(session, given === '-' ? given : resolve(cwd, given), sourceLimits.bytes);
  const shown = (path: string): string =>
    relative(realpathSync(cwd), path).startsWith('..') ? path : relative(realpathSync(cwd), path);
  const bundle =
    given === '-'
      ? undefined
      : bundleFiles(text, realpathSync(resolve(cwd, given)), rootOf(cwd, given, folder), shown);
  const read = await readInChildProcess(bundle?.text ?? text, { signal, isJson: isJsonFileName(given) });
  if (bundle === undefined) return { text, read };
  return {
    text: bundle.text,
    read: { ...read, errors: read.errors.map((error) => locateError(error, bundle, shown)) },
  };
}

/** The folder that holds all files of a specification. */
function rootOf(cwd: string, given: string, folder: string | undefined): string {
  const own = dirname(realpathSync(resolve(cwd, given)));
  if (folder === undefined) return own;
  try {
    const root = realpathSync(resolve(cwd, folder));
    if (isInside(root, own)) return root;
  } catch {
    // It is told below.
  }
  throw new Problem('usage', `The folder ${folder} does not hold ${given}.`, {
    hint: '--root names a folder in which the specification and all files that it refers to lie.',
  });
}

/** The same error, told of the file in which it stands. */
function locateError(
  error: SpecificationError,
  bundle: Bundle,
  shown: (path: string) => string,
): SpecificationError {
  const { name, at, pointer } = bundle.locate(parsePointer(error.pointer));
  return {
    ...error,
    message: bundle.describe(error.message),
    file: shown(name),
    at,
    pointer: formatPointer(pointer),
  };
}

/** Refuses a specification that has errors, with each and its place. */
export function refuseErrors(given: string, { errors }: SpecificationReport): void {
  if (errors.length === 0) return;
  throw new Problem(
    'invalid-input',
    `${given} is no valid OpenAPI specification: ${errors.length === 1 ? 'one error' : `${errors.length} errors`}.`,
    {
      violations: errors.map(({ at, code, file = given, message, pointer }) => ({
        path: `${file}:${at.line}:${at.column}`,
        message: `${code}: ${message}${pointer === '' ? '' : ` (${pointer})`}`,
      })),
      hint: 'Mend what is named, then run this again.',
    },
  );
}

function bundleFiles(
  text: string,
  file: string,
  root: string,
  shown: (path: string) => string,
): Bundle | undefined {
  const load = (reference: string, from: string, { line, column }: TextPosition) => {
    const refused = (
      why: string,
      hint = 'Files of a specification lie beside it or below; where they lie elsewhere, name the folder that holds them all: --root FOLDER.',
    ) =>
      new Problem(
        'invalid-input',
        `${shown(from)}:${line}:${column} refers to ${JSON.stringify(reference)}, which ${why}.`,
        {
          hint,
        },
      );
    if (/^[a-z][a-z0-9+.-]*:/i.test(reference))
      throw refused(
        'is an address; only files are brought together',
        'Save what is there in a file beside it, and refer to that.',
      );
    const path = decoded(reference);
    if (path === undefined) throw refused('is no address: a percent sign in it stands for nothing');
    const target = confine(root, dirname(from), path);
    if ('refused' in target) throw refused(inWords(target.refused));
    const read = readRegular(target.path, sourceLimits.bytes);
    if ('refused' in read) throw refused(read.refused);
    return { name: target.path, text: read.text };
  };
  return bundleSpecification(text, file, { load, displayName: shown });
}

/** What is said of a path in a manifest, said of one in a specification, in a sentence that names it already. */
function inWords(refused: string): string {
  return refused
    .replace(/^"(?:[^"\\]|\\.)*" /, '')
    .replace("the manifest's folder", 'the folder of the specification')
    .replace(/; (a manifest|move what).*$/, '');
}

function decoded(reference: string): string | undefined {
  try {
    return decodeURI(reference);
  } catch {
    return undefined;
  }
}
