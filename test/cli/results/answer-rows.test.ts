import { afterEach, beforeEach, expect, it } from 'vitest';
import { splitWords } from '../../support/cli.ts';
import { openGuideStore, page, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.publish(page('Start', 'Hello.'));
  const copy = (await desk.done(splitWords('spaces duplicate Guide -o id'))).stdout.trim();
  await desk.done(['spaces', 'update', copy, '--title', 'Copy']);
});
afterEach(() => desk.discard());

const outputOf = async (line: string) => (await desk.done(splitWords(line))).stdout;

it('spaces pages list shows the pages of several spaces in one table, with a column for the space', async () => {
  expect(await outputOf('spaces pages list Guide --columns path,title')).toBe('path\ttitle\nstart\tStart\n');
  const rows = (await outputOf('spaces pages list Guide Copy -o tsv')).split('\n');
  expect(rows).toEqual([
    'space\tpath\ttitle\ttype\tid',
    expect.stringMatching(/^Guide\tstart\tStart\tdocument\tpag_\w+$/),
    expect.stringMatching(/^Copy\tstart\tStart\tdocument\tpag_\w+$/),
    '',
  ]);
  expect(await outputOf('spaces pages list Guide Copy --columns title,space -o csv')).toBe(
    'title,space\r\nStart,Guide\r\nStart,Copy\r\n',
  );
  expect(await outputOf('spaces pages list Guide Copy -o id')).toMatch(/^pag_\w+\npag_\w+\n$/);
});

it('spaces pages list prints the responses of the API as JSON, one for each space', async () => {
  const answers = JSON.parse(await outputOf('spaces pages list Guide Copy -o json --no-texts')) as {
    items: { pages: object[] }[];
  };
  expect(answers.items.map((answer) => Object.keys(answer))).toEqual([['pages'], ['pages']]);
});

it('change-requests changes names the change request of each change if several are given', async () => {
  const rows = (await outputOf('change-requests changes 1 1 --space Guide')).split('\n');
  expect(rows.slice(0, 2)).toEqual([
    'changeRequest\ttype\tpath\ttitle\tdetails',
    expect.stringMatching(/^1\t/),
  ]);
});
