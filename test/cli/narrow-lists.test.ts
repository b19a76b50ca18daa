import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { splitWords } from '../support/cli.ts';
import { openGuideStore, page, type GuideStore } from './guide-store.ts';

describe('lists on a terminal with 80 columns', () => {
  let desk: GuideStore;
  const env = { DOCSCTL_TRANSLATION: '' };
  const rowOf = async (line: string): Promise<string | undefined> =>
    (await desk.done(splitWords(line), { tty: true, columns: 80, env })).stdout.split('\n')[2];
  beforeAll(async () => {
    desk = await openGuideStore();
    await desk.done(splitWords('translations create --space Guide --from en --language de'));
    await desk.run(splitWords('jobs run'), { env });
  });
  afterAll(() => desk.discard());

  it('show why translations and jobs wait or failed', async () => {
    expect(await rowOf('translations list')).toMatch(/^Guide \(German\) +pending: No trans/);
    expect(await rowOf('jobs list --kind translation')).toMatch(/failed: No trans/);
    expect((await desk.done(['translations', 'list'])).stdout).toMatch(
      /\tpending\t.*\tNo translation service/,
    );
    expect((await desk.done(['jobs', 'list'])).stdout).toContain('\tfailed\t');
  });

  it('show the creators of change requests, and the change requests of revisions', async () => {
    await desk.publish(page('Start', 'Hello.'));
    await desk.done(splitWords('cr create --space Guide --subject Edit'));
    expect(await rowOf('change-requests list Guide')).toMatch(/^ +2 +Edit +draft +.*ana/);
    expect(await rowOf('revisions list Guide')).toMatch(/^merge +ana +.* 1 +…\w+/);
    const { stdout } = await desk.done(splitWords('revisions list Guide --limit 1'));
    expect(stdout).toMatch(/^type\t.*\tchangeRequest\tid\nmerge\t.*\tcr_/);
  });
});
