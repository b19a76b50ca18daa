import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { openContent } from '../../src/content-sync/space-content.ts';
import { planExport, type ExportPlan } from '../../src/content-sync/plan-export.ts';
import { planImport, type ImportPlan } from '../../src/content-sync/plan-import.ts';
import { readFolder, type ReadOptions } from '../../src/content-sync/read-folder.ts';
import { sendImport, countChanges } from '../../src/content-sync/send-import.ts';
import { batchContent } from '../../src/resources/content/change-request/contract.ts';
import { openDesk } from '../resources/content-support.ts';
import type { World } from '../support/world.ts';

export type Files = Record<string, string | Buffer>;

export function newFolder(files: Files = {}): string {
  const dir = mkdtempSync(join(tmpdir(), 'docsctl-folder-'));
  writeFiles(dir, files);
  return dir;
}

export function writeFiles(dir: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
}

/** Returns every file of a folder as a text in which each byte is one character. */
export function filesOf(dir: string): Record<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => relative(dir, join(entry.parentPath, entry.name))).sort();
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(dir, path), 'latin1')]));
}

/** A new space, with functions to import and export it. */
export async function openShelf(world: World) {
  const desk = await openDesk(world);
  const content = await openContent(
    world.as('read'),
    { spaceId: desk.spaceId },
    new AbortController().signal,
  );
  const plan = async (dir: string, options?: ReadOptions): Promise<ImportPlan> =>
    planImport(await content.read(false), await readFolder(dir, options));
  const exported = async (): Promise<ExportPlan> => planExport(await content.read(true));
  /** Imports like the command: one change request, several batches, a merge. */
  const send = async (planned: ImportPlan): Promise<void> => {
    const { number } = await desk.createRequest();
    await sendImport(planned, (changes) =>
      world.as('edit').call(batchContent, { params: desk.at(number), body: { changes } }),
    );
    await desk.merge(number);
  };
  return {
    ...desk,
    content,
    plan,
    exported,
    send,
    /** Imports a folder. Returns the number of changes. */
    importFolder: async (dir: string, options?: ReadOptions): Promise<number> => {
      const planned = await plan(dir, options);
      await send(planned);
      return countChanges(planned);
    },
    /** The files that an export writes, in the form of `filesOf`. */
    exportFiles: async (): Promise<Record<string, string>> => {
      const { files } = await exported();
      const written: Record<string, string> = {};
      for (const { path, content: given } of files)
        written[path] = Buffer.from(
          'bytes' in given ? given.bytes : await content.download(given.fileId),
        ).toString('latin1');
      return Object.fromEntries(Object.entries(written).sort(([one], [other]) => (one < other ? -1 : 1)));
    },
  };
}
export type Shelf = Awaited<ReturnType<typeof openShelf>>;
