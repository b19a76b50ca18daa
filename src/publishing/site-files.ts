import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import type { Icons } from '../render/icons.ts';
import { empty, Markup } from '../render/markup.ts';

/** A file that the pages of all sites load, under a name that changes with its content. */
export interface SiteFile {
  readonly name: string;
  readonly contentType: string;
  readonly bytes: Buffer;
}

/** The files that pages load, and the icons in them. */
export interface SiteFiles {
  readonly styles: SiteFile;
  readonly script: SiteFile;
  readonly early: SiteFile;
  /** Searches copies of sites, which have no server. */
  readonly finder: SiteFile;
  readonly icons: Icons;
  /** A text that differs for another version of the program. */
  readonly version: string;
}

let opened: SiteFiles | undefined;

/** Reads the files that the build makes for sites (.scripts/site-files.js), once for a process. */
export function openSiteFiles(): SiteFiles {
  opened ??= {
    styles: readSiteFile('site', 'css', 'text/css; charset=utf-8'),
    script: readSiteFile('site', 'js', 'text/javascript; charset=utf-8'),
    early: readSiteFile('early', 'js', 'text/javascript; charset=utf-8'),
    finder: readSiteFile('finder', 'js', 'text/javascript; charset=utf-8'),
    icons: readIcons(),
    version: readBuilt('version.txt').toString(),
  };
  return opened;
}

/** Makes a file whose name has the hash of its content. */
export function siteFile(name: string, extension: string, contentType: string, bytes: Buffer): SiteFile {
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  return { name: `${name}-${hash}.${extension}`, contentType, bytes };
}

/** Reads a file of the build, under a name that changes with its content. */
export function readSiteFile(name: string, extension: string, contentType: string): SiteFile {
  return siteFile(name, extension, contentType, readBuilt(`${name}.${extension}`));
}

/** The build puts the files beside the program; the sources use those of the last build. */
function readBuilt(name: string): Buffer {
  const folder = import.meta.url.endsWith('.ts') ? '../../dist/site/' : './site/';
  return readFileSync(new URL(folder + name, import.meta.url));
}

function readIcons(): Icons {
  const text = brotliDecompressSync(readBuilt('icons.json.br')).toString();
  const icons = new Map(
    Object.entries(JSON.parse(text) as Record<string, readonly [number, number, string]>),
  );
  const drawn = new Map<string, Markup>();
  return {
    draw(name) {
      if (name === '') return empty;
      let markup = drawn.get(name);
      if (markup === undefined) {
        // Names may have a style in front: "fa-solid fa-book", "solid:book".
        const plain = name
          .toLowerCase()
          .replace(/^.*[\s:]/, '')
          .replace(/^fa-/, '');
        const [width, height, path] = icons.get(plain) ?? icons.get('file-lines') ?? [0, 0, ''];
        markup = new Markup(
          `<svg class="icon" viewBox="0 0 ${width} ${height}" aria-hidden="true" focusable="false"><path fill="currentColor" d="${path}"/></svg>`,
        );
        // What authors write can have any name. Those of our icons are few.
        if (icons.has(plain)) drawn.set(name, markup);
      }
      return markup;
    },
  };
}
