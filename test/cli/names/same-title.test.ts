import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { splitWords } from '../../support/cli.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

const noteOf = async (line: string, attended = true): Promise<string> => {
  const { stderr } = await desk.done(splitWords(line), { attended, columns: 1000 });
  return stderr
    .replaceAll(/\b([a-z]+)_[0-9A-Z]{26}\b/g, '$1_ID')
    .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\dZ/g, 'TIME');
};

describe('a title that another resource also has', () => {
  it('is noted on a terminal, with details of the other resource', async () => {
    await desk.done(['collections', 'create', '--title', 'Product']);
    await desk.done(['spaces', 'move', 'Guide', '--parent', 'Product']);
    expect(await noteOf('spaces create --title Guide')).toBe(
      'There is already a space with this title: spc_ID (Guide, created TIME, in Product). Commands that use the title have to ask which one you mean. To rename the new one, run `docsctl spaces update spc_ID --title TITLE`.\n',
    );
    expect(await noteOf('spaces create --title Guide')).toContain(' and 1 more. ');
    expect(await noteOf('spaces create --title Guide', false)).toBe('');
    expect(await noteOf('spaces create --title Guide --quiet')).toBe('');
    expect(await noteOf('spaces create --title guides')).toBe('');
  });

  it.each([
    ['collections create --title Twin', 'collection with this title'],
    ['sites create --title Twin', 'site with this title'],
    ['teams create --title Twin', 'team with this title'],
    ['tokens create --role read --name Twin', 'token with this name'],
  ])('is noted by %s', async (line, what) => {
    expect(await noteOf(line)).not.toContain('already');
    expect(await noteOf(line)).toContain(`There is already a ${what}: `);
  });

  it('is noted after the title was changed, but not after another change', async () => {
    await desk.done(['spaces', 'create', '--title', 'Other']);
    expect(await noteOf('spaces update Other --title Guide')).toMatch(
      /^There is already a space with this title: spc_ID [^`]*$/,
    );
    await desk.done(['sites', 'create', '--title', 'Docs']);
    await desk.done(['sites', 'create', '--title', 'Docs']);
    const [id = ''] = (await desk.done(['sites', 'list', '-o', 'id'])).stdout.split('\n');
    expect(await noteOf(`sites update ${id} --visibility unlisted`)).not.toContain('already');
  });

  it('is ambiguous as a name, and the error lists when and where each resource was created', async () => {
    await desk.done(['collections', 'create', '--title', 'Product']);
    await desk.done(['spaces', 'create', '--title', 'Guide', '--parent', 'Product']);
    const { exit, stderr } = await desk.run(['spaces', 'get', 'Guide']);
    expect(exit).toBe(5);
    expect(stderr).toMatch(/^error: "Guide" matches 2 spaces: spc_/);
    expect(stderr).toMatch(/spc_\w+ \(Guide, created [-\d]+ [:\d]+Z, in Product\)/);
    expect(stderr).toMatch(/spc_\w+ \(Guide, created [-\d]+ [:\d]+Z\)/);
  });
});
