import { expect, it } from 'vitest';
import { openGuideStore, page } from '../../cli/guide-store.ts';

it('a page without a layout of its own is returned with the default layout', async () => {
  const desk = await openGuideStore();
  try {
    const number = await desk.request(page('Start', 'Begin.'));
    await desk.done(['cr', 'merge', String(number), '--space', 'Guide']);
    const { stdout } = await desk.done([
      'change-requests',
      'pages',
      'get',
      'start',
      '--space',
      'Guide',
      '--change-request',
      String(number),
      '-o',
      'json',
    ]);
    expect(JSON.parse(stdout)).toMatchObject({
      type: 'document',
      kind: 'sheet',
      title: 'Start',
      path: 'start',
      slug: 'start',
      layout: {
        width: 'default',
        cover: true,
        coverSize: 'hero',
        title: true,
        description: true,
        tableOfContents: true,
        outline: true,
        pagination: true,
        metadata: true,
      },
    });
  } finally {
    await desk.discard();
  }
});
