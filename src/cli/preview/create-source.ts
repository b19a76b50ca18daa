import { resolve } from 'node:path';
import { defined } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { describeWarnings } from '../commands/spaces/import-warnings.ts';
import { resolveName } from '../names.ts';
import type { Session } from '../session.ts';
import { storeUrlOf } from '../settings.ts';
import { FolderSource } from './folder-source.ts';
import type { PreviewSource } from './preview-source.ts';
import { ChangeRequestSource, RevisionSource, StoreSource } from './revision-source.ts';

interface SourceOptions {
  readonly folder?: string;
  readonly changeRequest?: string;
  readonly asOf?: string;
  readonly manifest?: readonly string[];
  readonly var?: readonly string[];
}

/** A source with the store that it reads. */
export type OpenSource = PreviewSource & { readonly close: () => Promise<void> };

/** Opens what a preview shows: of one space, or of the whole site. The caller closes it. */
export async function createSource(
  session: Session,
  { spaceId }: { readonly spaceId?: string },
  { folder, changeRequest, asOf, manifest, var: variables }: SourceOptions,
): Promise<OpenSource> {
  const { runtime, settings, note } = session;
  if (settings.server !== undefined)
    throw new Problem('usage', 'sites preview needs an embedded store, and a server is set.', {
      hint: 'Add --store, for example --store sqlite:docs.db.',
    });
  const { openCore } = await runtime.wiring();
  const core = await openCore(runtime, storeUrlOf(runtime, settings), defined({ caFile: settings.caFile }));
  const close = (): Promise<void> => core.store.close();
  const withClose = (source: PreviewSource) => Object.assign(source, { close });
  if (manifest !== undefined) {
    const { ManifestSource } = await import('./manifest-source.ts');
    return withClose(new ManifestSource(session, core, defined({ file: manifest, var: variables })));
  }
  if (spaceId === undefined) return withClose(new StoreSource(core));
  if (folder !== undefined)
    return withClose(
      new FolderSource({
        base: core,
        dir: resolve(runtime.cwd, folder),
        spaceId,
        signal: runtime.signal,
        onWarnings: (warnings) => {
          for (const line of describeWarnings(warnings)) note(line);
          if (warnings.length === 0) note('The folder has no warnings any more.');
        },
      }),
    );
  if (asOf !== undefined) {
    const revisionId = await resolveName(session, 'revisionId', asOf, { spaceId });
    return withClose(new RevisionSource(core, { spaceId, revisionId }));
  }
  const changeRequestId = await resolveName(session, 'changeRequestId', changeRequest, { spaceId });
  return withClose(new ChangeRequestSource(core, { spaceId, changeRequestId }));
}
