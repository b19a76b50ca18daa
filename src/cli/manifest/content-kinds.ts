import { join, posix, relative } from 'node:path';
import { listSome, plural } from '../../contract/values.ts';
import type { Violation } from '../../errors/problem.ts';
import { withContent } from '../../manifest/content.ts';
import type { Kind } from '../../manifest/kind.ts';
import { kinds } from '../../manifest/kinds/index.ts';
import { createContentEngine, type WaitingContent } from '../../content-sync/manifest-content.ts';
import type { ImportPlan } from '../../content-sync/plan-import.ts';
import { toViolations } from './annotate.ts';
import { shellWord } from '../../contract/shell-word.ts';
import type { Session } from '../session/session.ts';

/** The changes of a space from its folder. */
export interface PlannedContent {
  readonly plan: ImportPlan;
  /** The root of the documentation, relative to the working folder. */
  readonly root: string;
}

/**
 * Creates the table of kinds with content for spaces, from folders of Markdown below `folder`. Content that waits for an approval
 * is added to `waiting`, planned changes of each space to `contents`, and faults of changed files to `warnings`.
 */
export function kindsWithContent(
  session: Session,
  folder: string,
  waiting: WaitingContent[] = [],
  contents?: Map<string, PlannedContent>,
  warnings?: Violation[],
): readonly Kind[] {
  const pathOf = (dir: string) =>
    relative(session.runtime.cwd, join(folder, dir)).replaceAll('\\', '/') || '.';
  const engine = createContentEngine({
    api: () => session.api(),
    folder,
    signal: session.runtime.signal,
    onWaiting: (one, isReported) => {
      if (
        waiting.some(({ space, changeRequest }) => space === one.space && changeRequest === one.changeRequest)
      )
        return;
      waiting.push(one);
      if (!isReported)
        session.note(
          `${one.dir} is in change request ${one.changeRequest}, which is not merged yet. Merge it with \`${one.merge}\`.`,
        );
    },
    onPlanned: (spaceId, plan, { dir, root }) =>
      void contents?.set(spaceId, { plan, root: posix.join(pathOf(dir), root) }),
    onMerged: (dir, summary, changeRequest) =>
      session.note(`${pathOf(dir)}: ${summary}; merged as change request ${changeRequest}.`),
    onOverwrite: (spaceId, dir, pages) =>
      session.note(
        `warning: ${pathOf(dir)} replaces pages that were changed in the organization after the last apply: ${listSome(pages)}. To see the pages as they are now, run \`docsctl spaces export ${spaceId} FOLDER\`.`,
      ),
    onWarnings: (dir, found) => {
      if (found.length === 0) return;
      const path = pathOf(dir);
      warnings?.push(...toViolations(found, path));
      session.note(
        `warning: ${path} has ${plural(found.length, 'problem')} in the files that change. To list the problems of all files, run \`docsctl validate ${shellWord(path)}\`.`,
      );
    },
  });
  return withContent(kinds, engine);
}
