import { describe, expect, it } from 'vitest';
import {
  drawTimeline,
  type TimelineEvent,
} from '../../../../src/cli/commands/change-requests/draw-timeline.ts';
import { openGuideStore, page } from '../../guide-store.ts';
import { createExampleWorld } from '../../../support/example-world.ts';

const plain = (text: string) => text;
const theme = { title: plain, faint: plain, error: plain, hint: plain };
const event = (at: string, who: string, what: string, kind: TimelineEvent['kind'] = 'commented') => ({
  at: `2026-11-${at}:00.000Z`,
  who,
  what,
  kind,
});

describe('the timeline of a change request', () => {
  it('draws a line for each event, grouped by day, oldest first', () => {
    const events = [
      event('23T08:00', 'Ben', 'approved it'),
      event('22T14:12', 'Ana', 'created it', 'created'),
      event('22T14:13', 'Ana', 'edited the content', 'edited'),
      event('22T14:20', 'Ana', 'edited the content', 'edited'),
      event('22T15:00', 'Ben', 'commented: Is\nthis \u001b[31mright?'),
    ];
    expect(drawTimeline(events, 80, theme)).toBe(
      [
        '2026-11-22',
        ' ├─ 14:12Z  Ana created it',
        ' ├─ 14:20Z  Ana edited the content 2 times',
        ' └─ 15:00Z  Ben commented: Is this \\u001b[31mright?',
        '2026-11-23',
        ' └─ 08:00Z  Ben approved it',
        '',
      ].join('\n'),
    );
  });

  it('shortens lines to the width of the terminal', () => {
    expect(drawTimeline([event('22T14:12', 'Ana', `commented: ${'word '.repeat(50)}`)], 40, theme)).toBe(
      '2026-11-22\n └─ 14:12Z  Ana commented: word word wo…\n',
    );
  });

  it('follows the fields of the change request on a terminal', async () => {
    const world = await createExampleWorld();
    try {
      const { stdout } = await world.read('docsctl cr show 7 --space Guide', { tty: true });
      expect(stdout).toMatch(/^subject +Fix the install steps$/m);
      expect(stdout.slice(stdout.indexOf('\n\n') + 2).replace(/\d\d:\d\dZ|\d{4}-\d\d-\d\d/g, 'TIME')).toBe(
        [
          'TIME',
          ' ├─ TIME  ana created it',
          ' ├─ TIME  ana edited the content 2 times',
          ' ├─ TIME  ana commented: Is this still true? (1 reply)',
          ' ├─ TIME  ana asked cara for a review',
          ' └─ TIME  ana approved it: Looks good.',
          '',
        ].join('\n'),
      );
      expect((await world.read('docsctl cr get 7 --space Guide')).stdout).not.toContain('├─');
    } finally {
      world.discard();
    }
  });

  it('lists reviews, resolved comments and the merge', async () => {
    const desk = await openGuideStore();
    try {
      const number = String(await desk.request(page('Start', 'Begin.')));
      const at = [number, '--space', 'Guide'];
      await desk.done(['cr', 'comments', 'create', ...at, '--text', 'Why?']);
      const listed = await desk.done(['cr', 'comments', 'list', ...at, '-o', 'id']);
      const of = ['--space', 'Guide', '--change-request', number];
      await desk.done(['cr', 'comments', 'update', listed.stdout.trim(), ...of, '--resolved']);
      await desk.done([
        'cr',
        'reviews',
        'submit',
        ...at,
        '--status',
        'changes-requested',
        '--comment',
        'More.',
      ]);
      await desk.edit(Number(number), page('More', 'Text.'));
      await desk.done(['cr', 'merge', ...at]);
      const { stdout } = await desk.done(['cr', 'show', ...at], { tty: true, columns: 120 });
      const lines = stdout
        .slice(stdout.indexOf('\n\n') + 2)
        .replace(/\d\d:\d\dZ|\d{4}-\d\d-\d\d/g, 'TIME')
        .split('\n');
      expect(lines).toMatchInlineSnapshot(`
        [
          "TIME",
          " ├─ TIME  ana created it",
          " ├─ TIME  ana edited the content",
          " ├─ TIME  ana commented: Why?",
          " ├─ TIME  ana resolved a comment",
          " ├─ TIME  ana asked for changes: More. (outdated: it was edited later)",
          " ├─ TIME  ana edited the content",
          " └─ TIME  ana merged it",
          "",
        ]
      `);
    } finally {
      await desk.discard();
    }
  });
});
