import { realpathSync } from 'node:fs';
import { readRegular } from '../../files/read-regular.ts';
import type { YamlMap, YamlNode } from '../../richtext/yaml-tree.ts';
import { wholeFile, type Faults, type SourceLocation } from './faults.ts';
import { findIncluded, type FoundFile } from './find-files.ts';
import { limits } from './limits.ts';
import { readYaml } from './read-yaml.ts';

export interface ManifestFile extends FoundFile {
  /** The documents that are maps. */
  readonly documents: readonly YamlMap[];
  /** Whether the file is an overlay, which changes the contents of the other files. */
  readonly isOverlay: boolean;
}

interface LoadedFiles {
  readonly files: readonly ManifestFile[];
  /** Whether all files could be read. Faults of an incomplete manifest may not be faults of the complete one. */
  readonly whole: boolean;
}

/** Reads files and their includes, each once, within the limits for all of them together. */
export async function loadFiles(
  found: readonly FoundFile[],
  cwd: string,
  readStdin: () => Promise<string>,
  faults: Faults,
): Promise<LoadedFiles> {
  const base = realpathSync(cwd);
  const files: ManifestFile[] = [];
  const seen = new Set<string>();
  const chain: FoundFile[] = [];
  let bytes = 0;
  let nodes = 0;
  let whole = true;

  const load = async (file: FoundFile): Promise<void> => {
    if (seen.has(file.path)) return;
    seen.add(file.path);
    if (seen.size > limits.files)
      return refuse(file, `exceeds the limit of ${limits.files} files per manifest`);
    const left = limits.bytes - bytes;
    const read = file.path === '-' ? await limitedText(readStdin, left) : readRegular(file.path, left);
    if ('refused' in read)
      return refuse(
        file,
        bytes > 0 && read.refused.startsWith('is larger')
          ? `makes the manifest exceed ${limits.bytes >> 20} MiB in total`
          : read.refused,
      );
    bytes += read.bytes;
    const tree = readYaml(read.text.replace(/^\ufeff/, ''), file.name, limits.nodes - nodes, faults);
    nodes += tree.nodes;
    whole &&= tree.whole;
    const other = file.foundBy !== undefined ? findSpecification(tree.documents) : undefined;
    if (other !== undefined) {
      whole = false;
      faults.add(
        other,
        'this is an OpenAPI specification, and all YAML files of this folder are read as the manifest; move it to a subfolder, or name only the manifest with -f',
      );
      return;
    }
    const documents = tree.documents.filter((document) => isManifest(document, faults));
    const overlay = documents.some((one) => isOverlay(one, faults));
    if (overlay && file.foundBy !== undefined) {
      seen.delete(file.path);
      return;
    }
    files.push({ ...file, documents, isOverlay: overlay });
    if (!tree.whole) return;
    checkVersion(file, documents, faults);
    chain.push(file);
    for (const document of documents)
      for (const next of findIncluded(document, file, base, chain, faults)) await load(next);
    chain.pop();
  };
  const refuse = (file: FoundFile, why: string): void => {
    whole = false;
    if (file.namedAt === undefined) faults.add(wholeFile(file.name), why);
    else faults.add(file.namedAt, `${file.name} ${why}`);
  };

  for (const file of found) await load(file);
  const isRead = (source: string) => found.some(({ foundBy, path }) => foundBy === source && seen.has(path));
  for (const source of new Set(found.flatMap(({ foundBy }) => foundBy ?? []))) {
    const overlay = found.find(({ foundBy }) => foundBy === source);
    if (!isRead(source))
      faults.add(
        wholeFile(source),
        `finds only overlays, and overlays are read only if -f names them, such as -f ${overlay?.name}`,
      );
  }
  return { files, whole };
}

async function limitedText(readStdin: () => Promise<string>, limit: number) {
  const text = await readStdin();
  const bytes = text.length > limit ? text.length : Buffer.byteLength(text);
  return bytes > limit ? { refused: `is larger than ${limits.bytes >> 20} MiB` } : { text, bytes };
}

function isManifest(document: YamlNode, faults: Faults): document is YamlMap {
  if (document.kind === 'map' && document.tag === undefined) return true;
  faults.add(document.at, 'a manifest must be a map of fields such as "version: 1"');
  return false;
}

/** Returns where an OpenAPI specification starts, if the file is one. */
function findSpecification([document]: readonly YamlNode[]): SourceLocation | undefined {
  if (document?.kind !== 'map') return undefined;
  const { entries } = document;
  const stated = entries.get('openapi') ?? entries.get('swagger');
  return stated?.value.kind === 'scalar' && !entries.has('version') ? stated.key : undefined;
}

function isOverlay({ entries }: YamlMap, faults: Faults): boolean {
  const value = entries.get('overlay')?.value;
  if (value === undefined) return false;
  if (value.kind !== 'scalar' || typeof value.value !== 'boolean')
    faults.add(value.at, '"overlay" must be true or false');
  return value.kind === 'scalar' && value.value === true;
}

/** Each file must state the version of the manifest format. */
function checkVersion(file: FoundFile, documents: readonly YamlMap[], faults: Faults): void {
  const stated = documents.flatMap(({ entries }) => entries.get('version') ?? []);
  if (stated.length === 0)
    faults.add(
      documents[0]?.at ?? { file: file.name, line: 1, column: 1 },
      `"version: 1" is missing; ${/\.(?:ya?ml|json)$/i.test(file.name) || file.name === '-' ? '' : 'if this file is a manifest, '}add that line`,
    );
  for (const { value } of stated)
    if (value.kind !== 'scalar' || value.value !== 1)
      faults.add(value.at, 'this manifest version is not supported; this docsctl reads "version: 1"');
}
