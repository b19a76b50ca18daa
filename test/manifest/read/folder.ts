import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { Problem, withPath } from '../../../src/errors/problem.ts';
import {
  readManifest,
  type Manifest,
  type ManifestRequest,
} from '../../../src/manifest/read/read-manifest.ts';
import { toJson } from '../../../src/manifest/read/json.ts';

/** A folder with these files that is gone after the test. */
export function folderOf(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'docsctl-manifest-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

type More = Partial<Omit<ManifestRequest, 'readStdin'>> & { readonly stdin?: string };

/** Reads org.yaml, or the sources given, of a folder. */
export function readFolder(cwd: string, more: More = {}): Promise<Manifest> {
  const { stdin, ...rest } = more;
  return readManifest({
    sources: ['org.yaml'],
    cwd,
    env: {},
    vars: {},
    readStdin: () => Promise.resolve(stdin ?? ''),
    ...rest,
  });
}

/** Reads a manifest of these files; a text alone is org.yaml. */
export function read(
  files: string | Record<string, string | Uint8Array>,
  more: More = {},
): Promise<Manifest> {
  return readFolder(folderOf(typeof files === 'string' ? { 'org.yaml': files } : files), more);
}

/** What a manifest says as plain JSON. */
export async function jsonOf(
  files: string | Record<string, string | Uint8Array>,
  more: More = {},
): Promise<unknown> {
  return toJson((await read(files, more)).root);
}

/** Everything wrong, as `place: message`. */
export async function faultsIn(reading: Promise<unknown>): Promise<string[]> {
  const problem = await problemIn(reading);
  if (problem.violations.length > 1)
    return problem.violations.map(({ path, message }) => `${path}: ${message}`);
  const [only] = problem.violations;
  // One fault is the message itself.
  const sentence = only === undefined ? '' : withPath(only);
  if (problem.message !== `${sentence}${sentence.endsWith('?') ? '' : '.'}`)
    throw new Error(`The message is not the fault: ${problem.message}`);
  return [`${only?.path}: ${only?.message}`];
}

export async function problemIn(reading: Promise<unknown>): Promise<Problem> {
  try {
    await reading;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('nothing was wrong');
}

export function faultsOf(
  files: string | Record<string, string | Uint8Array>,
  more: More = {},
): Promise<string[]> {
  return faultsIn(read(files, more));
}
