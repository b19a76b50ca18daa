import { isEmoji } from '../contract/emoji.ts';
import { readComputed } from '../content/read-computed.ts';
import { defined } from '../contract/values.ts';
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

/** Rehearses the folders of Markdown of a manifest. */
export function createRehearsedContent(folder: string, signal: AbortSignal): RehearsedContent {
  return {
    engine: (api) =>
      withoutRequestNumbers(createContentEngine({ api: () => Promise.resolve(api), folder, signal })),
    copy: async ({ spaceId, source, from, to, ids }) => {
      const content = await openContent(from, { spaceId }, signal);
      const files = source === undefined ? new Map() : await readFilesByOid(folder, source);
      const plan = planCopy(await content.read(true), files);
      await changeSpace(to, spaceId, async (params) => {
        const send = (changes: ContentChange[]) =>
          ids.withIds(insertedIds(changes), () =>
            to.call(batchContent, { params, body: { changes } }, { signal }),
          );
        await sendImport(plan, send);
      });
    },
  };
}

/** Removes the numbers of change requests from errors, because they exist only in the copy. */
function withoutRequestNumbers(engine: ContentEngine): ContentEngine {
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
          hint: isWaiting ? '`docsctl apply` names the change request and how to approve it.' : hint,
          violations,
          cause: error,
        });
      }
    },
  };
}

/** Reads the files of the folder by git ID. They need not be downloaded from the live space. */
async function readFilesByOid(
  folder: string,
  { dir, unlisted }: ContentSource,
): Promise<ReadonlyMap<string, FolderFile>> {
  return new Map(
    (await readFolder(`${folder}/${dir}`, { unlisted: unlisted ?? 'skip', mayLackPages: true })).files.map(
      (file) => [file.oid, file],
    ),
  );
}

/**
 * Plans the copy of the content of a space to an empty one. Files that are not in the folder get other bytes, because they are
 * not read.
 */
export function planCopy(
  { pages, files, texts }: SpaceContent,
  known: ReadonlyMap<string, FolderFile>,
): ImportPlan {
  return {
    pages: [...insertPages(pages, undefined)],
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

function* insertPages(pages: readonly PageBody[], into: string | undefined): Generator<ContentChange> {
  for (const page of pages) {
    const { id, type, title, linkTitle, slug, href, git, frontMatter = '', markdown = '' } = page;
    const computed = readComputed(page.computed);
    const ref = `${refPrefix}${id}`;
    yield {
      operation: 'insert_page',
      type: computed === undefined ? type : 'computed',
      document: type === 'document' ? { markdown: frontMatter + markdown } : {},
      title,
      ...defined({ linkTitle, computed }),
      ...(computed !== undefined
        ? {}
        : type === 'link'
          ? { href: href ?? '' }
          : slug === undefined
            ? {}
            : { slug }),
      ...(git === undefined ? {} : { git: { path: git.path } }),
      ...defined({ into }),
      ...clearedFields(page),
      ref,
    };
    yield* insertPages(page.pages ?? [], ref);
  }
}

/** Returns all fields of a page. Empty values clear fields that the front matter of the text would set. */
function clearedFields({
  emoji = '',
  icon = '',
  description = '',
  condition = '',
  hidden = false,
  noIndex = false,
  noRobotsIndex = false,
}: PageBody) {
  // Pages of older stores may have an invalid emoji.
  return { emoji: isEmoji(emoji) ? emoji : '', icon, description, condition, hidden, noIndex, noRobotsIndex };
}

/** Returns the original IDs of the pages that changes insert. */
export function insertedIds(changes: readonly ContentChange[]): string[] {
  return changes.flatMap((change) =>
    change.operation === 'insert_page' && change.ref !== undefined
      ? [change.ref.slice(refPrefix.length)]
      : [],
  );
}

/** Runs work on a space without its merge rules and edit mode. */
export async function withoutMergeRules(api: Api, spaceId: string, work: () => Promise<void>): Promise<void> {
  const params = { spaceId };
  const { mergeRules, editMode } = await api.call(getSpace, { params });
  await api.call(updateSpace, { params, body: { mergeRules: { type: 'none' }, editMode: 'live' } });
  await work();
  await api.call(updateSpace, { params, body: { mergeRules, editMode } });
}

/** Changes a space of a copy with a change request that is merged regardless of the merge rules. */
export async function changeSpace(
  api: Api,
  spaceId: string,
  change: (params: { readonly spaceId: string; readonly changeRequestId: string }) => Promise<void>,
): Promise<void> {
  await withoutMergeRules(api, spaceId, async () => {
    const body = { subject: 'Live content' };
    const { id } = await api.call(createChangeRequest, { params: { spaceId }, body });
    const params = { spaceId, changeRequestId: id };
    await change(params);
    await api.call(mergeChangeRequest, { params });
  });
}
