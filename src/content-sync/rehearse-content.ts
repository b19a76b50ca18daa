import type { Api } from '../contract/api.ts';
import { Problem } from '../errors/problem.ts';
import type { ContentEngine, ContentSource } from '../manifest/content.ts';
import type { RehearsedContent } from '../manifest/rehearse/rehearse.ts';
import type { ImportPlan } from './plan-import.ts';
import { readFolder } from './read-folder.ts';
import type { FolderFile } from './read-files.ts';
import { sendImport } from './send-import.ts';
import { createChangeRequest, mergeChangeRequest } from '../resources/change-requests/contract.ts';
import { batchContent } from '../resources/content/change-request/contract.ts';
import type { PageBody } from '../resources/content/schemas.ts';
import { getSpace, updateSpace } from '../resources/spaces/contract.ts';
import { createContentEngine } from './manifest-content.ts';
import { openContent, type SpaceContent } from './space-content.ts';
import type { ContentChange } from '../content/changes.ts';

/** Rehearses folders of Markdown, which lie in the folder of the manifest. */
export function createRehearsedContent(folder: string, signal: AbortSignal): RehearsedContent {
  return {
    engine: (api) => rehearsing(createContentEngine({ api: () => Promise.resolve(api), folder, signal })),
    copy: async ({ spaceId, source, from, to, ids }) => {
      const content = await openContent(from, { spaceId }, signal);
      const files = await filesIn(folder, source);
      const plan = planCopy(await content.read(true), files);
      await unguarded(to, spaceId, async () => {
        const { id } = await to.call(createChangeRequest, {
          params: { spaceId },
          body: { subject: 'What is live' },
        });
        const params = { spaceId, changeRequestId: id };
        const send = (changes: ContentChange[]) =>
          ids.withIds(idsIn(changes), () => to.call(batchContent, { params, body: { changes } }, { signal }));
        await sendImport(plan, send);
        await to.call(mergeChangeRequest, { params });
      });
    },
  };
}

/** A change request of the copy has a number that says nothing: live, another one may have it. */
function rehearsing(engine: ContentEngine): ContentEngine {
  return {
    ...engine,
    apply: async (spaceId, source) => {
      try {
        await engine.apply(spaceId, source);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        const { reason, message, hint, violations } = error;
        const isWaiting = /change request \d/i.test(message);
        const text = message
          .replace(/waits in change request \d+/, 'would wait in a change request')
          .replace(/(c)hange request \d+/gi, 'the change request');
        throw new Problem(reason, text, {
          hint: isWaiting ? 'An apply says which change request it is, and how to approve it.' : hint,
          violations,
          cause: error,
        });
      }
    },
  };
}

/** The files of the folder by what they hold: what the space has of them need not be sent from there. */
async function filesIn(
  folder: string,
  { dir, unlisted }: ContentSource,
): Promise<ReadonlyMap<string, FolderFile>> {
  return new Map(
    (await readFolder(`${folder}/${dir}`, { unlisted: unlisted ?? 'skip', mayLackPages: true })).files.map(
      (file) => [file.oid, file],
    ),
  );
}

/** What fills an empty space with what another one holds. Of files that are not in the folder only the name counts: nobody looks into them. */
function planCopy({ pages, files, texts }: SpaceContent, known: ReadonlyMap<string, FolderFile>): ImportPlan {
  return {
    pages: [...pagesFrom(pages, undefined)],
    texts: texts.map(({ role, title, text = '', git }) => ({
      operation: 'put_text',
      role,
      title,
      git: { path: git.path },
      text,
    })),
    files: files.flatMap(({ name, contentType, git }) => {
      if (git === undefined) return [];
      const substitute = Buffer.from(`in place of ${git.oid}`);
      const { size, read } = known.get(git.oid) ?? { size: substitute.length, read: () => substitute };
      return [{ file: { path: git.path, name, contentType, size, oid: git.oid, read }, replaces: undefined }];
    }),
    deletedFiles: [],
  };
}

const refPrefix = 'live-';

function* pagesFrom(pages: readonly PageBody[], into: string | undefined): Generator<ContentChange> {
  for (const page of pages) {
    const { id, type, title, slug, href, git, frontMatter = '', markdown = '' } = page;
    const ref = `${refPrefix}${id}`;
    yield {
      operation: 'insert_page',
      type,
      document: type === 'document' ? { markdown: frontMatter + markdown } : {},
      title,
      ...(type === 'link' ? { href: href ?? '' } : slug === undefined ? {} : { slug }),
      ...(git === undefined ? {} : { git: { path: git.path } }),
      ...(into === undefined ? {} : { into }),
      ...fieldsOf(page),
      ref,
    };
    yield* pagesFrom(page.pages ?? [], ref);
  }
}

/** What front matter says and the page has no more is taken away, by "" and false. */
function fieldsOf({
  emoji = '',
  icon = '',
  description = '',
  condition = '',
  hidden = false,
  noIndex = false,
  noRobotsIndex = false,
}: PageBody) {
  return { emoji, icon, description, condition, hidden, noIndex, noRobotsIndex };
}

function idsIn(changes: readonly ContentChange[]): string[] {
  return changes.flatMap((change) =>
    change.operation === 'insert_page' ? [change.ref!.slice(refPrefix.length)] : [],
  );
}

/** Does work on a space whose content anybody may change meanwhile. */
async function unguarded(api: Api, spaceId: string, work: () => Promise<void>): Promise<void> {
  const params = { spaceId };
  const { mergeRules, editMode } = await api.call(getSpace, { params });
  await api.call(updateSpace, { params, body: { mergeRules: { type: 'none' }, editMode: 'live' } });
  await work();
  await api.call(updateSpace, { params, body: { mergeRules, editMode } });
}
