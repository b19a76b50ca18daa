import { needsTexts, type ImportPlan } from './plan-import.ts';
import { planReimport } from './plan-reimport.ts';
import type { MarkdownFolder } from './read-folder.ts';
import type { ContentReader, SpaceContent } from './space-content.ts';

/** Plans an import of a folder. The texts of the space are read only if its table of contents differs. */
export async function compareFolder(
  content: ContentReader,
  folder: MarkdownFolder,
): Promise<{ readonly current: SpaceContent; readonly plan: ImportPlan }> {
  const current = await content.read(false);
  const texts = needsTexts(current, folder) ? await content.texts() : current.texts;
  return { current, plan: planReimport({ ...current, texts }, folder) };
}
