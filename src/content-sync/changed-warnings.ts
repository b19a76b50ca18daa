import { flattenPages } from '../contract/values.ts';
import { posix } from 'node:path';
import type { Warning } from './folder.ts';
import type { ImportPlan } from './plan-import.ts';
import type { MarkdownFolder } from './read-folder.ts';
import { type SpaceContent } from './space-content.ts';

/** Returns the warnings about the files whose content a plan sends. For an empty space, these are all warnings. */
export function warningsOfChanges(
  folder: MarkdownFolder,
  plan: ImportPlan,
  current: SpaceContent,
): Warning[] {
  if (current.pages.length === 0) return [...folder.warnings];
  const paths = new Map(flattenPages(current.pages).map(({ id, git }) => [id, git?.path]));
  const pages = plan.pages.flatMap((change) => {
    if (change.operation === 'insert_page') return [change.git?.path];
    const isSent = change.operation === 'update_page' && change.document !== undefined;
    return isSent ? [change.git?.path ?? paths.get(change.page)] : [];
  });
  const texts = new Set(
    plan.texts.flatMap((change) => (change.operation === 'put_text' ? [change.git?.path ?? ''] : [])),
  );
  const sent = new Set([
    ...[...pages, ...plan.files.map(({ file }) => file.path)].map((path) =>
      posix.join(folder.root, path ?? ''),
    ),
    ...folder.texts.flatMap(({ path, file }) => (texts.has(path) ? [file] : [])),
  ]);
  return folder.warnings.filter(({ file }) => sent.has(file));
}
