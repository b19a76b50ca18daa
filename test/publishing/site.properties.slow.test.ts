import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { updateAdaptiveSchema } from '../../src/resources/site-adaptive-schema/contract.ts';
import { regeneratePublishingAuth } from '../../src/resources/site-publishing-auth/contract.ts';
import { createShareLink } from '../../src/resources/site-share-links/contract.ts';
import { updateSite } from '../../src/resources/sites/contract.ts';
import { signVisitorToken } from '../support/sign-visitor-token.ts';
import { publishedSite } from './published-site.ts';
import { AddressHistory, checkSiteOf, type Visitor } from './site-checks.ts';
import { anySteps, redirecting, removing, SteppedSite, type Step } from './site-steps.ts';

/** `SITE_RUNS` is the number of sites. With `DOCSCTL_TEST_SEED=random`, each run generates other sites. */
const numRuns = Number(process.env['SITE_RUNS'] ?? 3);
const maxSteps = 12;
/** The number of steps after which the whole site is checked. */
const stepsBetween = 8;

/** Publishes a site with adaptive content, and returns it with the visitors who read it. */
async function start() {
  const site = await publishedSite([
    { title: 'Page zq9001x', slug: 'intro', text: 'Text zq9001x.' },
    { title: 'Page zq9002x', slug: 'api', text: 'Text zq9002x.' },
  ]);
  const { call, world } = site;
  // The API returns addresses of sites at this URL.
  Object.assign(world.core, { sitesUrl: 'https://docs.test' });
  const key = (await call(regeneratePublishingAuth, site.site)).privateKey;
  const link = await call(createShareLink, site.site, { body: { name: 'Friends' } });
  const unsigned = {
    type: 'object',
    description: 'Unsigned claims of the site visitor.',
    properties: { beta: { type: 'boolean', description: 'beta' } },
    additionalProperties: false,
  };
  const plan = { type: 'string', enum: ['pro', 'free'], description: 'plan' };
  const jsonSchema = { type: 'object', properties: { plan, unsigned }, additionalProperties: false };
  await call(updateAdaptiveSchema, site.site, { body: { jsonSchema } });
  await call(updateSite, site.site, { body: { adaptiveContent: { enabled: true } } });
  const expires = Math.floor(world.core.clock() / 1000) + 1e8;
  const visitorWith = async (signed: { plan: string }, cookie?: string): Promise<Visitor> => ({
    claims: { ...signed, ...(cookie === undefined ? {} : { unsigned: { beta: true } }) },
    headers: {
      authorization: `Bearer ${await signVisitorToken(signed, key, expires)}`,
      ...(cookie === undefined ? {} : { cookie }),
    },
  });
  const free = await visitorWith({ plan: 'free' });
  const all = await visitorWith(
    { plan: 'pro' },
    `gitbook-visitor-public=${encodeURIComponent('{"beta":true}')}`,
  );
  const shareKey = new URL(link.urls.published ?? '').pathname.split('/')[4] ?? '';
  return { stepped: new SteppedSite(site, shareKey), free, all };
}

/** Runs steps, and checks what visitors and the API see. Removes everything at the end. */
async function check(steps: readonly Step[]): Promise<void> {
  const { stepped, free, all } = await start();
  const done: string[] = [];
  const expectNone = (faults: readonly string[]): void =>
    expect(faults.slice(0, 10), done.join('\n')).toEqual([]);
  const history = new AddressHistory(stepped, all);
  await history.look(false);
  for (const [at, step] of steps.entries()) {
    if (await stepped.run(step)) {
      done.push(JSON.stringify(step));
      expectNone(await history.look(step.redirects && redirecting.has(step.kind)));
    }
    const isLast = at === steps.length - 1;
    if (isLast || (at + 1) % stepsBetween === 0)
      for (const visitor of [free, all])
        expectNone(await checkSiteOf(stepped, visitor, isLast && visitor === all));
  }
  /** All parts of the site. */
  const rest = async () => Object.values(await stepped.look()).flat();
  for (let left = 60; left > 0 && (await rest()).length > 0; left--)
    for (const kind of removing) await stepped.run({ kind, a: left, b: left, c: left, redirects: false });
  expect(await rest()).toEqual([]);
  expectNone(await checkSiteOf(stepped, all, false));
}

type ShortStep = readonly [kind: Step['kind'], a: number, b?: number, c?: number];

describe('each page is at the address that the API returns, and nothing else is shown,', () => {
  it.each<[string, ...ShortStep[]]>([
    ['if pages have the path of a space', ['pageInsert', 0, 2, 1], ['addSpace', 1, 0, 1]],
    [
      'if the default section has the path of a page of another one',
      ['addSection', 1, 1, 1],
      ['pageDelete', 1, 1],
      ['siteDefaultSection', 1],
    ],
    ['if a space is shown twice, once hidden', ['addSection', 1, 1, 0], ['spaceHidden', 0, 0]],
    [
      'if sections swap their paths',
      ['addSection', 1, 1, 1],
      ['addSection', 2, 1, 1],
      ['sectionPath', 1, 3],
      ['sectionPath', 2, 1],
      ['sectionPath', 1, 2],
    ],
    [
      'if redirects lead to a section that is deleted',
      ['addSection', 1, 1, 0],
      ['pageSlug', 0, 1, 3],
      ['deleteSection', 1],
    ],
  ])('%s', async (_, ...steps) =>
    check(steps.map(([kind, a, b = 0, c = 0]) => ({ kind, a, b, c, redirects: true }))),
  );

  it(
    'after any changes',
    async () => {
      const property = fc.asyncProperty(anySteps(maxSteps), check);
      // If a run fails, it is shrunk as long as the time limit of the test allows.
      await fc.assert(property, { numRuns, plugins: [fc.interruptAfterTimeLimit(numRuns * 18_000)] });
    },
    numRuns * 20_000,
  );
});
