import { expect, it, onTestFinished } from 'vitest';
import { openGuideStore } from '../guide-store.ts';

it('an item cannot be moved relative to itself', async () => {
  const desk = await openGuideStore();
  onTestFinished(() => desk.discard());
  await desk.done(['collections', 'create', '--title', 'Product']);
  await desk.done(['sites', 'create', '--title', 'Docs']);
  await desk.done(['sites', 'sections', 'add', 'Guide', '--title', 'Start', '--site', 'Docs']);
  for (const [name, line] of [
    ['"Guide"', 'spaces move Guide --before Guide'],
    ['"Product"', 'collections move Product --after-collection Product'],
    ['"start"', 'sites sections move start --site Docs --before Start'],
    ['An item', 'sites sort Docs --section start --before-section Start'],
  ] as const) {
    const { exit, stderr } = await desk.run(line.split(' '));
    expect([exit, stderr]).toEqual([
      64,
      expect.stringContaining(`${name} cannot be moved relative to itself.`),
    ]);
  }
});
