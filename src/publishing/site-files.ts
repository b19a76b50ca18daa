import { brotliDecompressSync } from 'node:zlib';
import { findInstalled, type FindPackage } from '../files/find-package.ts';
import type { Icons } from '../render/icons.ts';
import { empty, Markup } from '../render/markup.ts';
import { readDiagramFiles, type DiagramFiles } from './diagram-files.ts';
import { readBuilt, readSiteFile, type SiteFile } from './site-file.ts';

/** The files that pages load, and the icons in them. */
interface SiteFiles {
  readonly styles: SiteFile;
  readonly script: SiteFile;
  readonly early: SiteFile;
  /** The script that searches in copies of sites, which have no server. */
  readonly finder: SiteFile;
  /** Undefined if Mermaid is not installed. */
  readonly diagrams: DiagramFiles | undefined;
  readonly icons: Icons;
  /** A text that differs between versions of the program, and between ways to render diagrams. */
  readonly version: string;
}

let opened: SiteFiles | undefined;

/** Reads the files that the build creates for sites (.scripts/site-files.js), once per process. */
export function openSiteFiles(findPackage = findInstalled): SiteFiles {
  opened ??= readSiteFiles(findPackage);
  return opened;
}

/** The files that have their own addresses. */
export function filesOfAddresses(): readonly SiteFile[] {
  const { styles, script, early, finder, diagrams } = openSiteFiles();
  return [
    styles,
    script,
    early,
    finder,
    ...(diagrams === undefined ? [] : [diagrams.frame, ...diagrams.scripts]),
  ];
}

function readSiteFiles(findPackage: FindPackage): SiteFiles {
  const diagrams = readDiagramFiles(findPackage);
  return {
    styles: readSiteFile('site', 'css', 'text/css; charset=utf-8'),
    script: readSiteFile('site', 'js', 'text/javascript; charset=utf-8'),
    early: readSiteFile('early', 'js', 'text/javascript; charset=utf-8'),
    finder: readSiteFile('finder', 'js', 'text/javascript; charset=utf-8'),
    diagrams,
    icons: readIcons(),
    version: readBuilt('version.txt').toString() + (diagrams?.frame.name ?? ''),
  };
}

/** Finds an icon for a name from another icon set, such as Font Awesome Pro: `books` becomes `book`. */
function similarIcon(name: string, icons: ReadonlyMap<string, unknown>): string {
  if (icons.has(name)) return name;
  if (/^sparkles?$/.test(name)) return 'wand-magic-sparkles';
  const words = name.slice(0, 100).split('-');
  const parts = words.flatMap((_, cut) => [words.slice(0, words.length - cut), words.slice(cut)]);
  const names = parts.flatMap((part) => [part.join('-'), part.join('-').replace(/s$/, '')]);
  return names.find((each) => icons.has(each)) ?? 'file-lines';
}

function readIcons(): Icons {
  const text = brotliDecompressSync(readBuilt('icons.json.br')).toString();
  const columns = JSON.parse(text) as { names: string; widths: string; paths: string };
  const widths = columns.widths.split('|');
  const paths = columns.paths.split('M');
  const icons = new Map(
    columns.names
      .split('|')
      .flatMap((names, index) => names.split(' ').map((name) => [name, [widths[index], paths[index]]])),
  );
  const drawn = new Map<string, Markup>();
  return {
    draw(name) {
      if (name === '') return empty;
      let icon = drawn.get(name);
      if (icon === undefined) {
        // Names may have a prefix for the style: "fa-solid fa-book", "solid:book".
        const plain = name
          .toLowerCase()
          .replace(/^.*[\s:/]/, '')
          .replace(/^fa-/, '');
        const [width = 0, path = ''] = icons.get(similarIcon(plain, icons)) ?? [];
        icon = new Markup(
          `<svg class="icon" viewBox="0 0 ${width} 256" aria-hidden="true" focusable="false"><path fill="currentColor" d="M${path}"/></svg>`,
        );
        // Only names of existing icons are cached, because authors can write any name.
        if (icons.has(plain)) drawn.set(name, icon);
      }
      return icon;
    },
  };
}
