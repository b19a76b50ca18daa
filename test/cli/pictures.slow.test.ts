import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExampleWorld, type ExampleWorld } from '../support/example-world.ts';

describe('drawings on a terminal', () => {
  let world: ExampleWorld;
  beforeAll(async () => {
    world = await createExampleWorld();
  }, 60_000);
  afterAll(() => world.discard());

  it('show the sizes of files as bars', async () => {
    const { stdout } = await world.read('docsctl spaces files list Guide', { tty: true });
    expect(stdout).toMatch(/^name +path +type +size +share +id$/m);
    expect(stdout).toMatch(/^logo\.png +\S+ +image\/png +79 bytes +█{12} +…\w{6}$/m);
    expect((await world.read('docsctl spaces files list Guide')).stdout).toMatch(
      /^name\tcontentType\tsize\tid\nlogo\.png\timage\/png\t79\tfil_\w{26}\n$/,
    );
    expect((await world.read('docsctl spaces files list Guide --sort-by=-size', { tty: true })).exit).toBe(0);
  });

  it('show the structure of a site below its fields', async () => {
    const { stdout } = await world.read('docsctl sites get Docs', { tty: true });
    expect(stdout).toMatch(/^title +Docs$[^]*\n\nDocs\n├─ Guides \/guides · default · \S+\n/m);
    expect((await world.read('docsctl sites get Docs')).stdout).not.toContain('├─');
  });

  it('show how often a space was edited', async () => {
    const { stdout } = await world.read('docsctl spaces get Guide', { tty: true });
    // A new week may begin while the test runs.
    expect(stdout).toMatch(/^activity +▁{11}[▁-█]{2} [1-9]\d* edits in 13 weeks$/m);
    expect((await world.read('docsctl spaces get Guide')).stdout).not.toContain('activity');
  });
});

it('jobs run prints its counts as JSON', async () => {
  const world = await createExampleWorld();
  try {
    const { stdout, stderr } = await world.run('docsctl jobs run -o json');
    expect(JSON.parse(stdout)).toMatchObject({ failed: 0, held: 0, errors: [] });
    expect(stderr).toMatch(/^\d+ done, 0 failed/);
  } finally {
    world.discard();
  }
});
