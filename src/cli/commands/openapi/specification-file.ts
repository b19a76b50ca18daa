import { realpathSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { plural } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { confine, isInside } from '../../../files/confine.ts';
import { readRegular } from '../../../files/read-regular.ts';
import { bundleSpecification, type Bundle } from '../../../specification/bundle-specification.ts';
import { readInChildProcess } from '../../../specification/child-process-reader.ts';
import {
  isJsonFileName,
  maxErrors,
  sourceLimits,
  type TextPosition,
} from '../../../specification/parse-source.ts';
import { formatPointer, parsePointer } from '../../../specification/specification-tree.ts';
import type { SpecificationError, SpecificationReport } from '../../../specification/specification.ts';
import { readText } from '../../input/files.ts';
import type { Session } from '../../session/session.ts';

interface SpecificationFile {
  readonly text: string;
  readonly read: SpecificationReport;
  /** The mistakes that do not prevent it from being published, each with its file and line. */
  readonly mistakes: readonly string[];
}

/**
 * Reads a specification from a file, or from standard input for "-". Files that it refers to must be in the same folder or below,
 * or in `folder`. If it `isStrict`, mistakes of single parts are errors too. @throws Problem(usage) for a URL, Problem(invalid-input) for a specification with errors
 */
export async function readSpecificationFile(
  session: Session,
  given: string,
  folder: string | undefined,
  isStrict = false,
): Promise<SpecificationFile> {
  const { cwd, signal } = session.runtime;
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(given))
    throw new Problem('usage', `${given} is an address, not a file.`, {
      hint: `Download it first: \`curl ${given} | docsctl openapi validate -\`. \`docsctl openapi publish\` takes addresses.`,
    });
  const isStdin = given === '-';
  const path = isStdin ? given : resolve(cwd, given);
  const text = await readText(session, path, sourceLimits.bytes);
  const shown = (file: string): string => {
    const fromHere = relative(realpathSync(cwd), file);
    return fromHere.startsWith('..') ? file : fromHere;
  };
  const bundle = isStdin
    ? undefined
    : bundleFiles(text, realpathSync(path), rootOf(cwd, given, folder), shown);
  const read = await readInChildProcess(bundle?.text ?? text, { signal, isJson: isJsonFileName(given) });
  const errors =
    bundle === undefined ? read.errors : read.errors.map((error) => locateError(error, bundle, shown));
  if (isStrict || read.facts === undefined) refuseErrors(given, { errors });
  const mistakes = violationsOf(given, errors).map((each) => `${each.path}: ${each.message}`);
  return { text: bundle?.text ?? text, read, mistakes };
}

/** Returns the folder for all files of a specification. @throws Problem(invalid-input) if the first file is outside of it */
function rootOf(cwd: string, given: string, folder: string | undefined): string {
  const own = dirname(realpathSync(resolve(cwd, given)));
  if (folder === undefined) return own;
  try {
    const root = realpathSync(resolve(cwd, folder));
    if (isInside(root, own)) return root;
  } catch {
    // Reported below.
  }
  throw new Problem('invalid-input', `The folder ${folder} does not contain ${given}.`, {
    hint: 'Use --root to name a folder that contains the specification and all files that it refers to.',
  });
}

/** Changes the location of an error to the file that contains it. */
function locateError(
  error: SpecificationError,
  bundle: Bundle,
  shown: (path: string) => string,
): SpecificationError {
  const { name, at, pointer } = bundle.locate(parsePointer(error.pointer));
  const message = bundle.describe(error.message);
  return { ...error, message, file: shown(name), at, pointer: formatPointer(pointer) };
}

/** Refuses a specification with errors. @throws Problem(invalid-input) with the line and column of each */
export function refuseErrors(given: string, { errors }: SpecificationReport): void {
  if (errors.length === 0) return;
  const max = errors[0]?.code === 'PARSE_ERROR' ? maxErrors.text : maxErrors.findings;
  const count = `${errors.length < max ? '' : 'at least '}${plural(errors.length, 'error')}`;
  throw new Problem('invalid-input', `${given} is not a valid OpenAPI specification: ${count}.`, {
    violations: violationsOf(given, errors),
    hint: 'Correct the errors and run the command again.',
  });
}

function violationsOf(
  given: string,
  errors: readonly SpecificationError[],
): { path: string; message: string }[] {
  return errors.map(({ at, code, file = given, message, pointer }) => ({
    path: `${file}:${at.line}:${at.column}`,
    message: `${code}: ${message}${pointer === '' ? '' : ` (${pointer})`}`,
  }));
}

/** Bundles a specification with the files that it refers to. Files outside of `root` are refused. */
function bundleFiles(
  text: string,
  file: string,
  root: string,
  shown: (path: string) => string,
): Bundle | undefined {
  const load = (reference: string, from: string, { line, column }: TextPosition) => {
    const refuse = (
      why: string,
      hint = 'Keep these files beside the specification or below it, or add --root FOLDER to name a folder that contains all of them.',
    ) =>
      new Problem(
        'invalid-input',
        `${shown(from)}:${line}:${column} refers to ${JSON.stringify(reference)}, which ${why}.`,
        { hint },
      );
    if (/^[a-z][a-z0-9+.-]*:/i.test(reference))
      throw refuse(
        'is an address; only files are bundled',
        'Download it to a file beside the specification and refer to the file.',
      );
    const path = decode(reference);
    if (path === undefined) throw refuse('is not valid: it contains a percent sign that encodes nothing');
    const target = confine(root, dirname(from), path);
    if ('refused' in target) throw refuse(rephrase(target.refused));
    const read = readRegular(target.path, sourceLimits.bytes);
    if ('refused' in read) throw refuse(read.refused);
    return { name: target.path, text: read.text };
  };
  return bundleSpecification(text, file, { load, displayName: shown });
}

/** Rewords a message about a path in a manifest for a path in a specification. */
function rephrase(refused: string): string {
  return refused
    .replace(/^"(?:[^"\\]|\\.)*" /, '')
    .replace('the folder of the manifest', 'the folder of the specification')
    .replace(/; (a manifest|move the file).*$/, '');
}

function decode(reference: string): string | undefined {
  try {
    return decodeURI(reference);
  } catch {
    return undefined;
  }
}
