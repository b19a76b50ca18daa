import { isAsExported } from './is-as-exported.ts';
import { needsTexts, nothing, type ImportPlan } from './plan-import.ts';
import { planReimport } from './plan-reimport.ts';
import type { MarkdownFolder } from './read-folder.ts';
import { countChanges } from './send-import.ts';
import type { ContentReader, SpaceContent } from './space-content.ts';
import { viewAsExported } from './view-as-exported.ts';

/** Plans an import of a folder. The texts of the space are read only if its table of contents differs. */
export async function compareFolder(
  content: ContentReader,
  folder: MarkdownFolder,
): Promise<{ readonly current: SpaceContent; readonly plan: ImportPlan }> {
  const current = await content.read(false);
  const texts = needsTexts(current, folder) ? await content.texts() : current.texts;
  return { current, plan: planReimport({ ...current, texts }, folder) };
}

/**
 * Plans an import of a folder into a space whose pages may have been created or edited in the app and exported to the folder
 * `dir`. What the folder has as an export writes it is not a change. If anything differs, all texts of the space are read.
 */
export async function compareExported(
  content: ContentReader,
  folder: MarkdownFolder,
  dir: string,
): Promise<{ readonly current: SpaceContent; readonly plan: ImportPlan }> {
  const compared = await compareFolder(content, folder);
  const { current, plan } = compared;
  if (countChanges(plan) === 0 || current.pages.length + current.files.length === 0) return compared;
  const known = viewAsExported(await content.read(true), folder);
  const again = planReimport(known.content, folder);
  // A page that only the table of contents leaves out would otherwise be deleted by the next change of another file.
  const deletesPages = again.pages.some(({ operation }) => operation === 'delete_page');
  return { current, plan: !deletesPages && isAsExported(dir, folder, known.files) ? nothing : again };
}
