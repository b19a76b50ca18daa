import { realpathSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { findBrokenAnchors } from '../../content-sync/find-broken-anchors.ts';
import { findBrokenLinks } from '../../content-sync/find-broken-links.ts';
import { FolderTargets } from '../../content-sync/folder-targets.ts';
import { openFolder, type Warning } from '../../content-sync/folder.ts';
import type { FolderPage } from '../../content-sync/page-reader.ts';
import { readFolder, type ReadOptions } from '../../content-sync/read-folder.ts';
import { childOf, type ManifestNode, type MapNode } from '../../manifest/read/node.ts';

export interface CheckedSource {
  /** Absolute path. */
  readonly dir: string;
  /** Its name in warnings (default: its path from the working folder). */
  readonly shown?: string | undefined;
  readonly unlisted: 'skip' | 'hidden';
}

export interface CheckedFolder {
  /** Its path from the working folder. */
  readonly dir: string;
  readonly pages: number;
  readonly files: number;
  /** Warnings with paths from the working folder. */
  readonly warnings: readonly Warning[];
}

/** Reads a folder like an import, and checks the links between its files and their anchors. @throws Problem(invalid-input) */
export async function checkFolder(
  { dir, unlisted, shown: given }: CheckedSource,
  cwd: string,
  watcher: Pick<ReadOptions, 'onPage' | 'signal'>,
): Promise<CheckedFolder> {
  const [folder, { paths }] = await Promise.all([
    readFolder(dir, { unlisted, shown: given, ...watcher }),
    openFolder(dir),
  ]);
  const shown = given ?? (relative(realpathSync(cwd), realpathSync(dir)).replaceAll('\\', '/') || '.');
  const targets = new FolderTargets(folder);
  const warnings = [
    ...folder.warnings,
    ...findBrokenLinks(folder, targets, paths),
    ...findBrokenAnchors(folder, targets),
  ];
  return {
    dir: shown,
    pages: countDocuments(folder.pages),
    files: folder.files.length,
    warnings: warnings.map((warning) => ({
      ...warning,
      file: join(shown, warning.file).replaceAll('\\', '/'),
    })),
  };
}

/** Finds the content folders of the spaces in a manifest. `folder` is the folder of the manifest. */
export function contentSources(root: MapNode, folder: string): CheckedSource[] {
  const spaces = root.entries.get('spaces')?.value;
  return childrenOf(spaces).flatMap((space) => {
    const content = childOf(space, 'content');
    const dir = textOf(childOf(content, 'dir'));
    if (dir === undefined) return [];
    const isHidden = textOf(childOf(content, 'unlisted')) === 'hidden';
    return [{ dir: resolve(folder, dir), unlisted: isHidden ? ('hidden' as const) : ('skip' as const) }];
  });
}

function childrenOf(node: ManifestNode | undefined): ManifestNode[] {
  return node?.kind === 'map' ? [...node.entries.values()].map(({ value }) => value) : [];
}

function textOf(node: ManifestNode | undefined): string | undefined {
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

function countDocuments(pages: readonly FolderPage[]): number {
  return pages.reduce(
    (sum, { type, children }) => sum + (type === 'document' ? 1 : 0) + countDocuments(children),
    0,
  );
}
