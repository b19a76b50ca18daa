import type { YamlMap, YamlNode } from '../../richtext/yaml-tree.ts';
import { confine } from '../../files/confine.ts';
import { expandInside } from './expand-inside.ts';
import type { Faults } from './faults.ts';
import { foundFile } from './find-sources.ts';
import { isGlob } from '../../files/glob.ts';
import type { FoundFile } from './source-file.ts';

/** The files that `include:` of a document names. `chain` are the files that led here, the including one last. */
export function findIncluded(
  document: YamlMap,
  file: FoundFile,
  cwd: string,
  chain: readonly FoundFile[],
  faults: Faults,
): FoundFile[] {
  const include = document.entries.get('include')?.value;
  if (include === undefined) return [];
  if (include.kind !== 'list' || include.tag !== undefined) {
    faults.add(include.at, 'include is a list of files: [teams.yaml, spaces/*.yaml]');
    return [];
  }
  return include.items.flatMap((item) => includedBy(item, file, cwd, chain, faults));
}

function includedBy(
  item: YamlNode,
  file: FoundFile,
  cwd: string,
  chain: readonly FoundFile[],
  faults: Faults,
): FoundFile[] {
  if (item.kind !== 'scalar' || typeof item.value !== 'string' || item.tag !== undefined) {
    faults.add(item.at, 'an included file is named by its path, a text');
    return [];
  }
  if (item.value.includes('${')) {
    faults.add(item.at, 'include takes no variables; files are read before variables are known');
    return [];
  }
  const paths = pathsOf(item.value, file);
  if (typeof paths === 'string') {
    faults.add(item.at, paths);
    return [];
  }
  return paths.flatMap((path) => {
    const again = chain.findIndex((other) => other.path === path);
    if (again === -1) return { ...foundFile(path, file.root, cwd), namedAt: item.at };
    // A pattern such as *.yaml matches the file that it stands in.
    if (!isGlob(item.value as string) || path !== file.path)
      faults.add(
        item.at,
        `these files include each other: ${[...chain.slice(again), chain[again]!].map(({ name }) => name).join(' → ')}`,
      );
    return [];
  });
}

/** The paths meant, or what is wrong with them. */
function pathsOf(path: string, file: FoundFile): readonly string[] | string {
  if (isGlob(path)) return expandInside(file.root, file.folder, path);
  const target = confine(file.root, file.folder, path);
  if ('refused' in target) return target.refused;
  return [target.path];
}
