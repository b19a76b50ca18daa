import { scanLinks } from '../richtext/scan-links.ts';
import { isWebAddress, linkTargets } from './resolve-link.ts';

/** An include whose file does not exist. */
interface MissingInclude {
  /** The line in the text, from 1. */
  readonly line: number;
  readonly message: string;
}

/** Finds the includes of a text whose file is not in the folder. `file` is the path of the text. */
export function findMissingIncludes(
  text: string,
  { file, root, paths }: { file: string; root: string; paths: ReadonlySet<string> },
): MissingInclude[] {
  if (!/\{%-?\s*include\b/.test(text)) return [];
  return scanLinks(text).flatMap(({ href, line, kind }): MissingInclude[] => {
    if (kind !== 'include' || href === '' || isWebAddress(href)) return [];
    if (linkTargets(file, href, root).some((path) => paths.has(path) || paths.has(`${path}.md`))) return [];
    const name = JSON.stringify(href.slice(0, 200));
    return [{ line, message: `includes ${name}, which does not exist; add the file, or remove the include` }];
  });
}
