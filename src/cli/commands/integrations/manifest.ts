import { existsSync, realpathSync, statSync } from 'node:fs';
import { confine } from '../../../files/confine.ts';
import { readRegular, readRegularBytes } from '../../../files/read-regular.ts';
import { basename, dirname, join, resolve } from 'node:path';
import { Problem } from '../../../errors/problem.ts';
import { publishIntegration } from '../../../resources/integrations/contract.ts';
import { propertiesIn } from '../../fields.ts';
import { readDocument } from '../../files.ts';
import type { Session } from '../../session.ts';
import { isRecord } from '../../../contract/values.ts';

const usualName = 'gitbook-manifest.yaml';
const most = { script: 5 * 1024 * 1024, image: 1024 * 1024 };

/** An integration as its manifest describes it: its name, and the body that publishes it with the files that it names. */
export interface IntegrationManifest {
  readonly name: string | undefined;
  readonly body: Record<string, unknown>;
}

/** Reads a manifest, or that of a folder. Files it names lie beside it or below; secrets may come from the environment, as `${{ env.NAME }}`. */
export async function readIntegrationManifest(
  session: Session,
  given: string,
  script: string | undefined,
): Promise<IntegrationManifest> {
  const path = manifestIn(resolve(session.runtime.cwd, given));
  const read = await readDocument(session, path);
  if (!isRecord(read))
    throw new Problem('invalid-input', `${basename(path)} describes no integration.`, {
      hint: 'It is a map of fields: name, title, description, script, scopes …',
    });
  const { name, script: named, icon, previewImages, secrets, organization, ...fields } = read;
  const known = new Set(propertiesIn(publishIntegration.body).map(([field]) => field));
  const unknown = Object.keys(fields).filter((field) => !known.has(field));
  if (unknown.length > 0)
    session.note(`${basename(path)}: ${unknown.join(', ')} is not known here, and left out.`);
  const folder = realpathSync(dirname(path));
  const image = (value: unknown): string => readImageFile(fileIn(folder, value));
  const body = {
    ...Object.fromEntries(Object.entries(fields).filter(([field]) => known.has(field))),
    ...(script !== undefined ? {} : named === undefined ? {} : { script: readScript(fileIn(folder, named)) }),
    ...(icon === undefined ? {} : { icon: image(icon) }),
    ...(Array.isArray(previewImages) ? { previewImages: previewImages.map(image) } : {}),
    ...(isRecord(secrets)
      ? {
          secrets: Object.fromEntries(
            Object.entries(secrets).map(([key, value]) => [key, fromEnvironment(session, value)]),
          ),
        }
      : {}),
    ...(organization === undefined ? {} : { organization: fromEnvironment(session, organization) }),
  };
  return { name: typeof name === 'string' ? name : undefined, body };
}

/** A path that a flag names; it may lead over links, as a person's paths do. */
export function namedFile({ runtime }: Session, path: string): string {
  const target = resolve(runtime.cwd, path);
  if (!existsSync(target))
    throw new Problem('invalid-input', `${path} does not exist.`, { hint: 'Check the path.' });
  return realpathSync(target);
}

/** A built script, as text. */
export function readScript(path: string): string {
  if (/\.[cm]?tsx?$|\.jsx$/.test(path)) {
    throw new Problem('invalid-input', `${basename(path)} is a source that has to be built first.`, {
      hint: 'Build it into one JavaScript file, as with esbuild --bundle, and name that with --script.',
    });
  }
  return taken(path, readRegular(path, most.script)).text;
}

/** An image as the API takes it. */
export function readImageFile(path: string): string {
  return taken(path, readRegularBytes(path, most.image)).bytes.toString('base64');
}

function taken<T extends object>(path: string, read: T | { readonly refused: string }): T {
  if ('refused' in read)
    throw new Problem('invalid-input', `${path} ${read.refused}.`, { hint: 'Check the path.' });
  return read;
}

function manifestIn(path: string): string {
  if (!existsSync(path))
    throw new Problem('invalid-input', `${path} does not exist.`, {
      hint: `Name a ${usualName}, or the folder that holds one.`,
    });
  return statSync(path).isDirectory() ? join(path, usualName) : path;
}

function fileIn(folder: string, value: unknown): string {
  const target = confine(folder, folder, typeof value === 'string' ? value : '');
  if ('refused' in target)
    throw new Problem('invalid-input', `A file that the manifest names cannot be read: ${target.refused}.`);
  return target.path;
}

function fromEnvironment({ runtime }: Session, value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return value.replace(/\$\{\{\s*env\.(\w+)\s*\}\}/g, (_, name: string) => variable(runtime.env, name));
}

/** The value of an environment variable that has to be set. */
export function variable(env: Readonly<Record<string, string | undefined>>, name: string): string {
  const value = env[name];
  if (value === undefined || value === '')
    throw new Problem('usage', `The environment variable ${name} is not set.`, {
      hint: 'A secret is taken from there, so that it shows in no history.',
    });
  return value;
}
