import { describe, expect, it } from 'vitest';
import {
  deleteShareLink,
  listShareLinks,
  updateShareLink,
} from '../../../src/resources/site-share-links/contract.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { faultsIn } from '../read/folder.ts';

const text = (links: string) =>
  `spaces: { a: { title: A } }\nsites:\n  docs:\n    title: Docs\n    siteSpaces: [{ path: a, space: !ref space.a }]\n    shareLinks: ${links}`;
const idOf = (bench: Bench, address: string) => bench.lock!.resources[address]!.id;
const params = (bench: Bench) => ({ organizationId: bench.world.org, siteId: idOf(bench, 'site.docs') });
const live = async (bench: Bench) =>
  (await bench.world.as('admin').call(listShareLinks, { params: params(bench) })).items;
const at = (bench: Bench, name: string) => ({
  ...params(bench),
  shareLinkId: idOf(bench, `share-link.docs/${name}`),
});

describe('share links in a manifest', () => {
  it('are created, deactivated if the file says so, and the next plan is empty', async () => {
    const bench = await createBench(
      text('{ partners: { name: Partners, active: true }, old: { name: Old, active: false } }'),
    );
    expect(linesOf(await bench.plan()).slice(3)).toEqual([
      'create share-link.docs/partners name: ⇒ "Partners" active: ⇒ true',
      'create share-link.docs/old name: ⇒ "Old" active: ⇒ false',
    ]);
    await bench.bring(
      text('{ partners: { name: Partners, active: true }, old: { name: Old, active: false } }'),
    );
    expect((await live(bench)).map(({ name, active }) => [name, active]).sort()).toEqual([['Old', false], ['Partners', true]]); // prettier-ignore
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('keep their address when they are renamed, and are adopted by their name', async () => {
    const bench = await createBench();
    await bench.bring(text('{ partners: { name: Partners } }'));
    const [before] = await live(bench);
    await bench.bring(text('{ friends: { name: Partners } }'));
    await bench.bring(text('{ friends: { name: Friends } }'));
    expect(await live(bench)).toEqual([{ ...before, name: 'Friends' }]);
  });

  it('show changes made by hand, and are created again after they were deleted', async () => {
    const bench = await createBench();
    await bench.bring(text('{ partners: { name: Partners, active: true } }'));
    await bench.world
      .as('admin')
      .call(updateShareLink, { params: at(bench, 'partners'), body: { active: false } });
    expect((await bench.plan()).steps.flatMap(({ changes }) => changes)).toEqual([
      { field: 'active', before: false, after: true, moved: 'live' },
    ]);
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
    await bench.world.as('admin').call(deleteShareLink, { params: at(bench, 'partners') });
    expect(linesOf(await bench.plan())).toEqual([
      'create share-link.docs/partners name: ⇒ "Partners" active: ⇒ true',
    ]);
  });

  it('are deleted by --prune if the file no longer has them', async () => {
    const bench = await createBench();
    await bench.bring(text('{ partners: { name: Partners } }'));
    await bench.bring(text('{}'), { prune: true });
    expect(await live(bench)).toEqual([]);
  });

  it('report mistakes with their positions', async () => {
    const bench = await createBench(text('{ a: { name: null }, b: { active: yes } }'));
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:7:30: null is not allowed here; omit the field to keep its value',
      'org.yaml:7:51: "yes" must be true or false; write true or false without quotes (yes, no, on and off are plain text in YAML 1.2)',
    ]);
    bench.write(text('{ a: { active: true } }'));
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:7:19: share-link.docs/a does not exist yet; to create it, set "name"',
    ]);
  });

  it('do not reveal their address in plans or the state file', async () => {
    const bench = await createBench();
    await bench.bring(text('{ partners: { name: Partners } }'));
    const key = (await live(bench))[0]!.urls.published!.split('/').findLast((part) => part !== '')!;
    expect(key.length).toBeGreaterThan(20);
    expect(JSON.stringify([await bench.plan(), bench.lock])).not.toContain(key);
  });
});
