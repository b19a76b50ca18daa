import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createWorld, type World } from '../support/world.ts';
import { furnish, paramsOf, type Ids } from './furnished.ts';
import { allOperations, outcomeOf } from './operations.ts';

const operations = await allOperations();
const folder = mkdtempSync(join(tmpdir(), 'docsctl-deletions-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Calls an operation as the administrator, with the IDs of a furnished organization and the given ones. */
type Make = (id: string, body?: unknown, ids?: Ids, query?: unknown) => Promise<{ readonly id: string }>;

/** Creates a resource with a word that occurs nowhere else. Returns the IDs for its deletion. */
type Plant = (make: Make, word: string, ids: Ids) => Promise<Ids>;

const id = async (name: string, made: Promise<{ readonly id: string }>): Promise<Ids> => ({
  [name]: (await made).id,
});
const markdown = (text: string) => ({ body: { markdown: text } });

const integration: Plant = async (make, word) => {
  const integrationName = `bot-${word}`;
  const body = {
    title: 'Bot',
    description: word,
    scopes: [],
    script: `// ${word}`,
    organization: 'org_acme',
  };
  await make('integrations.publish', body, { integrationName });
  return { integrationName };
};
const installed: Plant = async (make, word, ids) => {
  const { integrationName = '' } = await integration(make, word, ids);
  const made = make(
    'integrations.installations.create',
    { organization: 'org_acme' },
    { freeIntegrationName: integrationName },
  );
  return { integrationName, ...(await id('installationId', made)) };
};

/** Deletes other resources that contain the word. */
const unpublish = (make: Make, { integrationName = '' }: Ids): Promise<unknown> =>
  make('integrations.unpublish', undefined, { integrationName });

/** The resource of each deletion of the API, or the reason why it has no text of its own. */
const plants: Readonly<Record<string, Plant | string>> = {
  'spaces.delete': async (make, word) => {
    const { id: spaceId } = await make('spaces.create', { title: word });
    const { id: changeRequestId } = await make('change-requests.create', { subject: word }, { spaceId });
    const text = `# ${word}\n\n${`A text with ${word}. `.repeat(400)}`;
    const files = [
      { name: `${word}.txt`, base64: Buffer.from(word).toString('base64'), contentType: 'text/plain' },
    ];
    const at = { spaceId, changeRequestId };
    const page = { operation: 'insert_page', title: word, slug: word, document: { markdown: text } };
    await make(
      'change-requests.content.update',
      { changes: [page, { operation: 'insert_files', files }] },
      at,
    );
    await make('change-requests.comments.create', markdown(word), at);
    await make('change-requests.merge', undefined, at);
    await make('spaces.comments.create', markdown(word), { spaceId });
    await make('spaces.links', undefined, { spaceId });
    await make('spaces.search', undefined, { spaceId }, { query: word });
    return { freeSpaceId: spaceId };
  },
  'spaces.git.disconnect': async (make, word) => {
    const { id: spaceId } = await make('spaces.create', { title: 'Synchronized' });
    const url = `https://user:${word}@git.example.com/${word}/docs.git`;
    await make('spaces.git.connect', { url, ref: word, repoProjectDirectory: word }, { spaceId });
    return { spaceId };
  },
  'collections.delete': (make, word) => id('collectionId', make('collections.create', { title: word })),
  'teams.delete': (make, word) => id('teamId', make('teams.create', { title: word, members: [] })),
  'teams.members.delete': 'a membership has IDs only',
  'tokens.delete': (make, word) => id('tokenId', make('tokens.create', { role: 'read', name: word })),
  'invites.delete': 'a link has a role and its ID only',
  'members.delete': 'the person stays a user, who may belong to other organizations',
  'saml.delete': (make, word) => id('samlProviderId', make('saml.create', { label: word })),
  'openapi.delete': async (make, word) => {
    const text = JSON.stringify({ openapi: '3.0.3', info: { title: word, version: '1' }, paths: {} });
    await make('openapi.create', { slug: word, source: { text } });
    return { specSlug: word };
  },
  'translations.delete': async (make, word, { spaceId = '' }) => {
    const made = await make('translations.create', {
      source: { space: spaceId, language: 'en' },
      language: 'de',
    });
    const text = { object: 'text', leaves: [{ object: 'leaf', text: word, marks: [] }] };
    const nodes = [{ object: 'block', type: 'paragraph', data: {}, nodes: [text] }];
    const instructions = { object: 'document', data: {}, nodes };
    await make('translations.update', { instructions }, { translationId: made.id });
    return { translationId: made.id };
  },
  'sites.delete': (make, word) => id('siteId', make('sites.create', { title: word })),
  'sites.sections.delete': async (make, word) => {
    const { id: spaceId } = await make('spaces.create', { title: 'Shown' });
    return id('siteSectionId', make('sites.sections.add', { spaceId, title: word }));
  },
  'sites.section-groups.delete': (make, word) =>
    id('siteSectionGroupId', make('sites.section-groups.add', { title: word })),
  'sites.external-links.delete': (make, word) =>
    id(
      'siteExternalLinkId',
      make('sites.external-links.add', { title: word, url: `https://${word}.example/` }),
    ),
  'sites.section-groups.remove-section': 'the section is kept',
  'sites.site-spaces.delete': async (make, word, { siteSectionId = '' }) => {
    const { id: spaceId } = await make('spaces.create', { title: 'Shown' });
    const { id: siteSpaceId } = await make('sites.site-spaces.add', { spaceId, sectionId: siteSectionId });
    await make('sites.site-spaces.update', { path: word }, { siteSpaceId });
    return { siteSpaceId };
  },
  'sites.redirects.delete': (make, word) =>
    id(
      'siteRedirectId',
      make('sites.redirects.create', {
        source: `/${word}`,
        destination: { kind: 'external', url: `https://${word}.example/` },
      }),
    ),
  'sites.customization.reset': async (make, word, { siteSectionId = '' }) => {
    const { id: spaceId } = await make('spaces.create', { title: 'Shown' });
    const { id: siteSpaceId } = await make('sites.site-spaces.add', { spaceId, sectionId: siteSectionId });
    await make('sites.customization.override', { footer: { copyright: word } }, { siteSpaceId });
    return { siteSpaceId };
  },
  'custom-hostnames.delete': async (make, word) => {
    const { id: siteId } = await make('sites.create', { title: 'Site' });
    const hostname = `${word}.docs.example`;
    await make('custom-hostnames.set', { hostname }, { siteId });
    return { siteId, hostname };
  },
  'sites.share-links.delete': (make, word) =>
    id('shareLinkId', make('sites.share-links.create', { name: word })),
  'integrations.unpublish': integration,
  'integrations.disable-dev': async (make, word, ids) => {
    const made = await integration(make, word, ids);
    await make('integrations.enable-dev', { tunnelUrl: `https://${word}.example` }, made);
    return made;
  },
  'integrations.installations.delete': async (make, word, ids) => {
    const made = await installed(make, word, ids);
    await make('integrations.installations.update', { externalIds: [word] }, made);
    return made;
  },
  'integrations.installations.remove-space': async (make, word, ids) => {
    const made = await installed(make, word, ids);
    await make('integrations.installations.add-space', { space: ids['spaceId'] }, made);
    await make('integrations.installations.update-space', { externalIds: [word] }, made);
    return made;
  },
  'integrations.installations.remove-site': async (make, word, ids) => {
    const made = await installed(make, word, ids);
    const { id: installedSiteId } = await make('sites.create', { title: 'Site' });
    await make('integrations.installations.add-site', { siteId: installedSiteId }, made);
    await make(
      'integrations.installations.update-site',
      { externalIds: [word] },
      { ...made, installedSiteId },
    );
    return { ...made, installedSiteId };
  },
  ...Object.fromEntries(
    ['collections', 'sites', 'spaces']
      .flatMap((noun) => [`${noun}.permissions.remove-team`, `${noun}.permissions.remove-user`])
      .map((name) => [name, 'a permission has a role and IDs only']),
  ),
  'change-requests.reviewers.remove': 'a request for a review has IDs only',
  'spaces.comments.delete': (make, word) => id('commentId', make('spaces.comments.create', markdown(word))),
  'spaces.comments.replies.delete': (make, word) =>
    id('commentReplyId', make('spaces.comments.replies.create', markdown(word))),
  'change-requests.comments.delete': (make, word) =>
    id('draftCommentId', make('change-requests.comments.create', markdown(word))),
  'change-requests.comments.replies.delete': (make, word) =>
    id('draftReplyId', make('change-requests.comments.replies.create', markdown(word))),
};

const deletions = [...operations.values()]
  .map(({ operation }) => operation)
  .filter(({ method }) => method === 'DELETE');

test('every deletion of the API is tested', () => {
  expect(deletions.map((operation) => operation.id).sort()).toEqual(Object.keys(plants).sort());
});

const wordOf = (name: string): string => `zq${createHash('sha256').update(name).digest('hex').slice(0, 20)}`;
const day = 24 * 60 * 60 * 1000;

/** Returns the deletions whose word is found in a file, as text or in base64. */
function found(place: string, names: readonly string[]): string[] {
  const files = readdirSync(place).map((name) => readFileSync(join(place, name), 'latin1'));
  return names.filter((name) => {
    const word = wordOf(name);
    const forms = [word, Buffer.from(word).toString('base64').slice(0, -4)];
    return files.some((text) => forms.some((form) => text.includes(form)));
  });
}

async function runJobs({ as }: World): Promise<void> {
  await as('owner').work?.({ signal: new AbortController().signal });
}

test.each([
  ['sqlite', 'store.db', undefined],
  ['sqlite', 'now.db', { now: true }],
  ['json', 'store.json', undefined],
])('deleted data remains in no file of a store: %s:%s', { timeout: 120_000 }, async (scheme, file, query) => {
  const place = mkdtempSync(join(folder, 'store-'));
  const world = await createWorld(`${scheme}:${join(place, file)}`);
  try {
    const ids = await furnish(world, operations, 'admin', world.org);
    const make: Make = async (name, body, more = {}, given = undefined) => {
      const { operation } = operations.get(name)!;
      const outcome = await outcomeOf(world.as('admin'), operation, {
        params: paramsOf(operation, { ...ids, ...more }),
        ...(body === undefined ? {} : { body }),
        ...(given === undefined ? {} : { query: given }),
      });
      if (outcome.reason !== 'done') throw new Error(`${name}: ${JSON.stringify(outcome)}`);
      return outcome.answer as { readonly id: string };
    };
    const planted: { readonly name: string; readonly at: Ids }[] = [];
    for (const [name, plant] of Object.entries(plants))
      if (typeof plant !== 'string') planted.push({ name, at: await plant(make, wordOf(name), ids) });
    const names = planted.map(({ name }) => name);
    await runJobs(world);
    expect(found(place, names)).toEqual(names);
    for (const { name, at } of planted) {
      await make(name, undefined, at, name === 'spaces.delete' ? query : undefined);
      if (name.startsWith('integrations.') && name !== 'integrations.unpublish') await unpublish(make, at);
    }
    // Deleted spaces are kept for 7 days, audit events for a year.
    for (const days of [8, 400, 1]) {
      world.pass(days * day);
      await runJobs(world);
    }
    expect(found(place, names)).toEqual([]);
  } finally {
    await world.core.store.close();
  }
  expect(found(place, Object.keys(plants))).toEqual([]);
});
