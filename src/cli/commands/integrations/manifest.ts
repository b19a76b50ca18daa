import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { defined, isRecord } from '../../../contract/values.ts';
import { Problem } from '../../../errors/problem.ts';
import { confine } from '../../../files/confine.ts';
import { readRegular, readRegularBytes } from '../../../files/read-regular.ts';
import { publishIntegration } from '../../../resources/integrations/contract.ts';
import { propertiesIn } from '../../input/field-schema.ts';
import { readDocument } from '../../input/files.ts';
import type { Session } from '../../session/session.ts';

const defaultName = 'gitbook-manifest.yaml';
const maxScriptBytes = 5 * 1024 * 1024;
const maxImageBytes = 1024 * 1024;

/** The name of an integration, and the body of the request that publishes it. */
interface IntegrationManifest {
  readonly name: string | undefined;
  readonly body: Record<string, unknown>;
  /** The name of the file with the script in the body. */
  readonly script: string | undefined;
}

/**
 * Reads a manifest file, or the manifest in a folder, and the files that it names, which must be in the same folder or below.
 * Secrets may come from the environment, as `${{ env.NAME }}`. A `script` option overrides the one in the manifest.
 */
export async function readIntegrationManifest(
  session: Session,
  given: string,
  givenScript: string | undefined,
): Promise<IntegrationManifest> {
  const path = findManifest(resolve(session.runtime.cwd, given));
  const manifest = await readDocument(session, path);
  if (!isRecord(manifest))
    throw new Problem('invalid-input', `${basename(path)} does not describe an integration.`, {
      hint: 'Write it as a map of fields: name, title, description, script, scopes and so on.',
    });
  const { name, script, icon, previewImages, secrets, organization, ...fields } = manifest;
  const known = new Set(propertiesIn(publishIntegration.body).map(([field]) => field));
  const [kept, unknown] = [new Map<string, unknown>(), [] as string[]];
  for (const [field, value] of Object.entries(fields))
    if (known.has(field)) kept.set(field, value);
    else unknown.push(field);
  if (unknown.length > 0)
    session.note(
      `${basename(path)}: ignored unknown ${unknown.length === 1 ? 'field' : 'fields'} ${unknown.join(', ')}.`,
    );
  const folder = realpathSync(dirname(path));
  const hint = `${basename(path)} names this file. Correct the path there, or use another file.`;
  const readImage = (value: unknown): string => readImageFile(fileIn(folder, value), hint);
  const isScriptRead = givenScript === undefined && script !== undefined;
  const body = {
    ...Object.fromEntries(kept),
    ...defined({
      script: isScriptRead ? readScript(fileIn(folder, script), hint) : undefined,
      icon: icon === undefined ? undefined : readImage(icon),
      previewImages: Array.isArray(previewImages) ? previewImages.map(readImage) : undefined,
      secrets: isRecord(secrets)
        ? Object.fromEntries(Object.entries(secrets).map(([key, value]) => [key, fillIn(session, value)]))
        : undefined,
      organization: fillIn(session, organization),
    }),
  };
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { name: text(name), body, script: text(script) };
}

/** Returns the real path of a file in an option. */
export function findFile({ runtime }: Session, path: string): string {
  const target = resolve(runtime.cwd, path);
  if (!existsSync(target))
    throw new Problem('invalid-input', `${path} does not exist.`, { hint: 'Check the path.' });
  return realpathSync(target);
}

/** Reads a built script. @throws Problem(invalid-input) for a source file */
export function readScript(path: string, hint?: string): string {
  if (/\.[cm]?tsx?$|\.jsx$/.test(path)) {
    throw new Problem('invalid-input', `${basename(path)} is source code that must be built first.`, {
      hint: 'Build it into one JavaScript file, for example with `esbuild --bundle`, and give that file with --script.',
    });
  }
  return requireRead(path, readRegular(path, maxScriptBytes), hint).text;
}

/** Reads an image as base64. */
export function readImageFile(path: string, hint?: string): string {
  return requireRead(path, readRegularBytes(path, maxImageBytes), hint).bytes.toString('base64');
}

function requireRead<T extends object>(
  path: string,
  read: T | { readonly refused: string },
  hint = 'Use another file.',
): T {
  if ('refused' in read) throw new Problem('invalid-input', `${path} ${read.refused}.`, { hint });
  return read;
}

function findManifest(path: string): string {
  if (!existsSync(path))
    throw new Problem('invalid-input', `${path} does not exist.`, {
      hint: `Give a ${defaultName}, or the folder that contains one.`,
    });
  return statSync(path).isDirectory() ? join(path, defaultName) : path;
}

function fileIn(folder: string, value: unknown): string {
  const target = confine(folder, folder, typeof value === 'string' ? value : '');
  if ('refused' in target)
    throw new Problem(
      'invalid-input',
      `A file that the manifest refers to cannot be read: ${target.refused}.`,
    );
  return target.path;
}

/** Replaces `${{ env.NAME }}` in a text. */
function fillIn(session: Session, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/\$\{\{\s*env\.(\w+)\s*\}\}/g, (_, name: string) => readEnvironment(session, name));
}

/** Reads a secret from the environment. @throws Problem(usage) if the variable is not set */
export function readEnvironment({ runtime }: Session, name: string): string {
  // The text after an equals sign may be the secret itself, which messages must not repeat.
  const [variable = '', ...more] = name.split('=');
  if (more.length > 0)
    throw new Problem('invalid-input', `Give only the name of the variable, ${variable}, not its value.`, {
      hint: howToSet(variable),
    });
  if (!/^[A-Za-z_]\w*$/.test(name))
    // The name may be the secret itself.
    throw new Problem(
      'invalid-input',
      '--secret takes the name of an environment variable, but this value is not one.',
      { hint: 'Put the secret into a variable such as API_KEY, and give this name.' },
    );
  const value = runtime.env[name];
  if (value === undefined || value === '')
    throw new Problem('invalid-input', `The environment variable ${name} is not set.`, {
      hint: howToSet(name),
    });
  return value;
}

/** Returns how to set a variable to a secret without showing it or saving it in the history of the shell. */
function howToSet(name: string): string {
  return `Set it first: \`read -rs ${name} && export ${name}\` takes what you type and shows nothing of it.`;
}
