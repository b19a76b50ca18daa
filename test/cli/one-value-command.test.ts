import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeAll(async () => {
  desk = await openGuideStore();
});
afterAll(() => desk.discard());

describe('an option with one value', () => {
  it('is refused with a second value, before anything changes', async () => {
    const args = ['change-requests', 'create', 'Guide', '--subject', 'A', '--subject', 'B'];
    const { exit, stderr } = await desk.run(args);
    expect(exit).toBe(64);
    expect(stderr).toContain('--subject takes one value, but several are given.');
    expect(stderr).toContain('Give --subject once.');
  });

  it('is refused with an example of arguments if the command takes several', async () => {
    const { exit, stderr } = await desk.run(['spaces', 'create', '--title', 'A', '--title', 'B C']);
    expect(exit).toBe(64);
    expect(stderr).toContain("`docsctl spaces create A 'B C'`");
  });

  it('is refused if it is both true and false', async () => {
    const { exit, stderr } = await desk.run(['orgs', 'update', '--ai', '--no-ai']);
    expect(exit).toBe(64);
    expect(stderr).toContain('--ai takes one value');
  });

  it('is refused if its one value is a list with commas', async () => {
    const { exit, stderr } = await desk.run(['plan', '--allow', 'create', '--allow', 'delete']);
    expect(exit).toBe(64);
    expect(stderr).toContain('--allow takes one value');
  });

  it('may be given twice with the same value', async () => {
    const { exit } = await desk.run(['spaces', 'list', '--limit', '2', '--limit', '2']);
    expect(exit).toBe(0);
  });

  it('takes the last value if it is a global option, as in aliases', async () => {
    const { exit, stdout } = await desk.run(['spaces', 'list', '-o', 'yaml', '-o', 'json']);
    expect(exit).toBe(0);
    expect(JSON.parse(stdout)).toHaveProperty('items');
  });
});
