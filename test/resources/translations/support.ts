import type { OutputOf } from '../../../src/contract/operation.ts';
import type { Outgoing } from '../../../src/core/outgoing.ts';
import { runDueJobs } from '../../../src/core/workers.ts';
import { createChangeRequest, mergeChangeRequest } from '../../../src/resources/change-requests/contract.ts';
import { batchContent } from '../../../src/resources/content/change-request/contract.ts';
import { getContent } from '../../../src/resources/content/space/contract.ts';
import { createSpace } from '../../../src/resources/spaces/contract.ts';
import {
  createTranslation,
  getTranslation,
  runTranslation,
} from '../../../src/resources/translations/contract.ts';
import type { World } from '../../support/world.ts';

export interface Service {
  readonly outgoing: Outgoing;
  /** The segments that it received and answered. */
  readonly sent: string[];
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Runs with each request, before the answer. */
  before: () => Promise<void>;
}

/** A service with the protocol of DeepL that translates each text to "fr(…)". */
export function service(answer: (text: string) => string | undefined = frenchOf): Service {
  const made: Service = {
    sent: [],
    status: 200,
    headers: {},
    before: () => Promise.resolve(),
    outgoing: async ({ url, body }) => {
      await made.before();
      const { text } = JSON.parse(body as string) as { text: string[] };
      if (made.status === 200) made.sent.push(...text);
      return {
        status: made.status,
        headers: made.headers,
        bytes: Buffer.from(JSON.stringify({ translations: text.map((each) => ({ text: answer(each) })) })),
        url,
      };
    },
  };
  return made;
}
/** Returns the translation of a segment. */
export const frenchOf = (text: string) => `fr(${text})`;
/** The environment variables that configure the service. */
export const env = { DOCSCTL_TRANSLATION: 'deepl', DOCSCTL_DEEPL_KEY: 'secret-key:fx' };

/** Returns a change that inserts a page. */
export const page = (title: string, markdown: string, more: object = {}) => ({
  operation: 'insert_page',
  title,
  document: { markdown },
  ...more,
});

type Changes = readonly unknown[];
type Page = OutputOf<typeof getContent>['pages'][number];

/** Returns helpers for tests of translations that create a world themselves. */
export function helpersOf(world: () => World) {
  const { signal } = new AbortController();
  const work = () => runDueJobs(world().core, { signal });

  async function edit(space: string, changes: Changes): Promise<void> {
    const api = world().as('admin');
    const { id } = await api.call(createChangeRequest, { params: { spaceId: space }, body: {} });
    const params = { spaceId: space, changeRequestId: id };
    await api.call(batchContent, { params, body: { changes: changes as never } });
    await api.call(mergeChangeRequest, { params, body: {} });
  }

  async function newSpace(changes: Changes, title = 'Guide'): Promise<string> {
    const { id } = await world()
      .as('admin')
      .call(createSpace, { params: { organizationId: world().org }, body: { title } });
    if (changes.length > 0) await edit(id, changes);
    return id;
  }

  const params = (translationId: string) => ({ organizationId: world().org, translationId });
  const create = (space: string, more: object = {}) =>
    world()
      .as('admin')
      .call(createTranslation, {
        params: { organizationId: world().org },
        body: { source: { space, language: 'en' }, language: 'fr', ...more },
      });
  const look = (id: string) =>
    world()
      .as('admin')
      .call(getTranslation, { params: params(id) });
  const run = (id: string) =>
    world()
      .as('admin')
      .call(runTranslation, { params: params(id) });

  const pagesOf = async (space: string): Promise<readonly Page[]> =>
    (
      await world()
        .as('admin')
        .call(getContent, { params: { spaceId: space } })
    ).pages;
  const textsOf = async (space: string) =>
    (await pagesOf(space)).map(({ title, markdown }) => [title, markdown?.trim()]);

  return { work, edit, newSpace, params, create, look, run, pagesOf, textsOf };
}
