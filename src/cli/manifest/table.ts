import { withContent } from '../../manifest/content.ts';
import type { Kind } from '../../manifest/kind.ts';
import { kinds } from '../../manifest/kinds/index.ts';
import { createContentEngine } from '../manifest-content.ts';
import type { Session } from '../session.ts';

/** The kinds of manifests; spaces have content, from folders of Markdown beside the manifest. */
export function tableIn(session: Session, folder: string): readonly Kind[] {
  const engine = createContentEngine({
    api: () => session.api(),
    folder,
    signal: session.runtime.signal,
    onWaiting: (dir, where) => session.note(`${dir} waits in ${where}.`),
    onWarnings: (dir, warnings) => {
      if (warnings.length > 0)
        session.note(`warning: ${dir}: ${warnings.length === 1 ? 'one thing' : `${warnings.length} things`} in it cannot be taken; \`docsctl spaces import --dry-run\` says what.`);
    },
  });
  return withContent(kinds, engine);
}
