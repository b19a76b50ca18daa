import type { YamlMap } from '../../richtext/yaml-tree.ts';
import type { SourceLocation } from './source-location.ts';

/** A file to read, found but not read yet; "-" is standard input. */
export interface FoundFile {
  /** As it is printed: from the working folder. */
  readonly name: string;
  /** Real and absolute; "-" for standard input. */
  readonly path: string;
  /** The folder of the manifest: nothing outside is read for this file. */
  readonly root: string;
  /** The folder that paths in this file start from. */
  readonly folder: string;
  /** Where a file names it that includes it. */
  readonly namedAt?: SourceLocation;
}

/** A file of a manifest, read. */
export interface ManifestFile extends FoundFile {
  /** The documents that are maps. */
  readonly documents: readonly YamlMap[];
}
