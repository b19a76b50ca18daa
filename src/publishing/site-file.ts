import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

/** A file for the pages of all sites. Its name contains a hash of its content. */
export interface SiteFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** Headers that other files do not have. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Creates a file whose name contains the hash of its content. */
export function siteFile(name: string, extension: string, contentType: string, bytes: Buffer): SiteFile {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { name: `${name}-${hash}.${extension}`, contentType, bytes };
}

/** Reads a file of the build, and adds a hash of its content to its name. */
export function readSiteFile(name: string, extension: string, contentType: string): SiteFile {
  return siteFile(name, extension, contentType, readBuilt(`${name}.${extension}`));
}

/** In a build, the files are beside the program. The sources use the files of the last build. */
export function readBuilt(name: string): Buffer {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/site/' : './site/';
  return readFileSync(new URL(folder + name, import.meta.url));
}
