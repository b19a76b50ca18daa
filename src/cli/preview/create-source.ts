import { resolve } from 'node:path';
import { defined } from '../../contract/values.ts';
import type { Core } from '../../core/embedded.ts';
import { Problem } from '../../errors/problem.ts';
import { describeWarnings } from '../commands/spaces/import-warnings.ts';
import { resolveName } from '../names/names.ts';
import type { Session } from '../session/session.ts';
import { storeUrlOf } from '../settings/settings.ts';
import { FolderSource } from './folder-source.ts';
import type { PreviewSource } from './preview-source.ts';
import type { ServerSourceOptions } from './server-source.ts';
import { ChangeRequestSource, RevisionSource, StoreSource } from './revision-source.ts';

export interface SiteParams {
  readonly organizationId: string;
  readonly siteId: string;
}

export interface SourceOptions {
  readonly folder?: string;
  readonly changeRequest?: string;
  readonly asOf?: string;
  readonly manifest?: readonly string[];
  readonly var?: readonly string[];
}

/** A source with the store from which it reads. */
export type OpenSource = PreviewSource & { readonly close: () => Promise<void> };

/** Opens the source of a preview: of one space, or of the whole site. The caller closes it. */
export async function createSource(
  session: Session,
  { params, spaceId }: { params?: SiteParams; spaceId?: string },
  { folder, changeRequest, asOf, manifest, var: variables }: SourceOptions,
): Promise<OpenSource> {
  const { runtime, settings, note } = session;
  const folderSource = (base: Core, dir: string, id: string): PreviewSource =>
    new FolderSource({
      base,
      dir: resolve(runtime.cwd, dir),
      shown: dir,
      spaceId: id,
      signal: runtime.signal,
      onWarnings: (warnings) => {
        for (const line of describeWarnings(warnings)) note(line);
      },
    });
  const content = await contentOf(session, { spaceId, changeRequest, asOf });
  if (settings.server !== undefined) {
    if (params === undefined)
      throw new Problem('usage', '--manifest works only with an embedded store, but a server is set.', {
        hint: 'Try the manifest with `docsctl rehearse`, which also works with a server, or name a store with --store.',
      });
    const { ServerSource } = await import('./server-source.ts');
    return withClose(
      new ServerSource(session, {
        ...params,
        content,
        onTop:
          folder === undefined || spaceId === undefined
            ? undefined
            : (base) => folderSource(base, folder, spaceId),
      }),
      async () => {},
    );
  }
  const { openCore } = await runtime.wiring();
  const core = await openCore(runtime, storeUrlOf(runtime, settings), defined({ caFile: settings.caFile }));
  const close = () => core.store.close();
  if (manifest !== undefined) {
    const { ManifestSource } = await import('./manifest-source.ts');
    return withClose(new ManifestSource(session, core, defined({ file: manifest, var: variables })), close);
  }
  if (folder !== undefined && spaceId !== undefined)
    return withClose(folderSource(core, folder, spaceId), close);
  if (content === undefined) return withClose(new StoreSource(core), close);
  return withClose(
    'revisionId' in content ? new RevisionSource(core, content) : new ChangeRequestSource(core, content),
    close,
  );
}

/** Finds the revision or change request in the options. */
async function contentOf(
  session: Session,
  {
    spaceId,
    changeRequest,
    asOf,
  }: {
    spaceId: string | undefined;
    changeRequest: string | undefined;
    asOf: string | undefined;
  },
): Promise<ServerSourceOptions['content']> {
  if (spaceId === undefined) return undefined;
  if (asOf !== undefined)
    return { spaceId, revisionId: await resolveName(session, 'revisionId', asOf, { spaceId }) };
  if (changeRequest === undefined) return undefined;
  const changeRequestId = await resolveName(session, 'changeRequestId', changeRequest, { spaceId });
  return { spaceId, changeRequestId };
}

function withClose<S extends PreviewSource>(source: S, close: () => Promise<void>): S & OpenSource {
  return Object.assign(source, { close });
}
