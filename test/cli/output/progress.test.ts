import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  createProgress,
  hideProgress,
  showActivity,
  withCounts,
  withStep,
} from '../../../src/cli/output/progress.ts';
import { nameActivity, watchCalls } from '../../../src/cli/session/watch-calls.ts';
import type { Api } from '../../../src/contract/api.ts';
import { readSitePaths } from '../../../src/resources/site-paths/contract.ts';
import { fakeTerminal } from './fake-terminal.ts';

const clear = '\r\u001b[2K';

describe('the progress of a long operation', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  const label = 'List the pages of a space';
  const clock = () => Date.now();

  it('is shown on a terminal after a second, and removed at the end', () => {
    const terminal = fakeTerminal({ tty: true });
    const { end } = showActivity(terminal, { label, clock, isHidden: () => false });
    vi.advanceTimersByTime(900);
    expect(terminal.stderr.text).toBe('');
    vi.advanceTimersByTime(1100);
    expect(terminal.stderr.text).toBe(`${clear}${label}: 1 s${clear}${label}: 2 s`);
    end();
    vi.advanceTimersByTime(5000);
    expect(terminal.stderr.text.slice(-clear.length)).toBe(clear);
  });

  it('is printed every ten seconds in a pipe, and not while a pager is open', () => {
    const terminal = fakeTerminal();
    const shown = showActivity(terminal, { label, clock, isHidden: () => false });
    const hidden = showActivity(terminal, { label: 'Hidden', clock, isHidden: () => true });
    vi.advanceTimersByTime(25_000);
    shown.end();
    hidden.end();
    expect(terminal.stderr.text).toBe(`${label}: 10 s\n${label}: 20 s\n`);
  });

  it('is replaced by the count that the operation reports', () => {
    const terminal = fakeTerminal({ tty: true });
    const { onProgress, end } = showActivity(terminal, { label, clock, isHidden: () => false });
    onProgress(0, 0, 'indexing pages');
    vi.advanceTimersByTime(2000);
    onProgress(5000, 10_000, 'indexing pages');
    end();
    expect(terminal.stderr.text).toBe(
      `${clear}indexing pages …${clear}indexing pages 5000 of 10000 (50 %), 2500/s, 2 s left${clear}`,
    );
  });

  it('is not drawn any more once another count is shown', () => {
    const terminal = fakeTerminal({ tty: true });
    const { end } = showActivity(terminal, { label, clock, isHidden: () => false });
    vi.advanceTimersByTime(1000);
    const count = createProgress(terminal, { label: 'rendering page', total: 3, clock });
    for (let page = 1; page <= 3; page++) {
      count.tick();
      vi.advanceTimersByTime(1500);
    }
    end();
    count.done();
    expect(terminal.stderr.text).toBe(
      [
        '',
        `${label}: 1 s`,
        'rendering page 1 of 3 (33 %)',
        'rendering page 2 of 3 (66 %), 1.3/s, 1 s left',
        'rendering page 3 of 3 (100 %), 1/s',
        '',
      ].join(clear),
    );
  });

  it('restarts with each step, and shows the elapsed time while a count does not change', () => {
    const terminal = fakeTerminal({ tty: true });
    const { onProgress, end } = showActivity(terminal, { label, clock, isHidden: () => false });
    onProgress(100, 100, 'reading links');
    onProgress(1, 5, 'writing links');
    vi.advanceTimersByTime(3000);
    onProgress(2, 5, 'writing links');
    end();
    expect(terminal.stderr.text).toBe(
      [
        'reading links 100 of 100 (100 %)',
        '',
        'writing links 1 of 5 (20 %)',
        `${label}: 3 s`,
        '',
        'writing links 2 of 5 (40 %), 40/min, 5 s left',
        '',
      ]
        .map((line) => clear + line)
        .join(''),
    );
  });

  it('shows the count of a step, and otherwise its elapsed time', async () => {
    const terminal = fakeTerminal({ tty: true });
    const session = { terminal, runtime: { clock } };
    await withStep(session, 'comparing', async () => {
      await vi.advanceTimersByTimeAsync(1000);
      const { onProgress, end } = showActivity(terminal, { label, clock, isHidden: () => false });
      onProgress(1, 4, 'reading links');
      end();
      await vi.advanceTimersByTimeAsync(1000);
    });
    await vi.advanceTimersByTimeAsync(5000);
    expect(terminal.stderr.text).toBe(
      ['comparing …', 'comparing: 1 s', 'reading links 1 of 4 (25 %)', '', 'comparing: 2 s', '']
        .map((line) => clear + line)
        .join(''),
    );
  });

  it('shows a count, or a label if nothing can be counted', async () => {
    const terminal = fakeTerminal({ tty: true });
    const session = { terminal, runtime: { clock } };
    expect(
      await withCounts(session, 'reading page', async (onCount) => {
        onCount(1, 4);
        return 'read';
      }),
    ).toBe('read');
    await expect(withStep(session, 'comparing', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(terminal.stderr.text).toBe(
      `${clear}reading page 1 of 4 (25 %)${clear}${clear}comparing …${clear}`,
    );
    const piped = fakeTerminal();
    const step = withStep({ terminal: piped, runtime: { clock } }, 'comparing', async () => {
      await vi.advanceTimersByTimeAsync(25_000);
    });
    await step;
    await vi.advanceTimersByTimeAsync(25_000);
    expect(piped.stderr.text).toBe('comparing: 10 s\ncomparing: 20 s\n');
  });

  it('is not drawn into the text of an open pager', async () => {
    const terminal = fakeTerminal({ tty: true });
    const session = { terminal, runtime: { clock } };
    const work = () =>
      withStep(session, 'looking for links', () =>
        withCounts(session, 'checked', async (onCount) => {
          await vi.advanceTimersByTimeAsync(2000);
          onCount(1, 2);
        }),
      );
    hideProgress(terminal.stderr, true);
    await work();
    expect(terminal.stderr.text).toBe('');
    hideProgress(terminal.stderr, false);
    await work();
    expect(terminal.stderr.text).toContain('checked 1 of 2');
  });

  it('shows the elapsed time of a step again when its count is complete', async () => {
    const terminal = fakeTerminal({ tty: true });
    const session = { terminal, runtime: { clock } };
    await withStep(session, 'checking', () =>
      withCounts(session, 'checked', async (onCount) => {
        onCount(2, 2);
        await vi.advanceTimersByTimeAsync(1000);
      }),
    );
    expect(terminal.stderr.text).toBe(
      `${clear}checking …${clear}checked 2 of 2 (100 %)${clear}${clear}checking: 1 s${clear}`,
    );
  });

  it('writes either the count or the elapsed time of a step every ten seconds without a terminal', async () => {
    const session = { terminal: fakeTerminal(), runtime: { clock } };
    await withStep(session, 'checking', () =>
      withCounts(session, 'checked', async (onCount) => {
        await vi.advanceTimersByTimeAsync(500);
        for (let done = 1; done <= 20; done++) {
          await vi.advanceTimersByTimeAsync(1000);
          onCount(done, 20);
        }
        await vi.advanceTimersByTimeAsync(20_000);
      }),
    );
    expect(session.terminal.stderr.text).toBe(
      'checking: 10 s\nchecked 10 of 20 (50 %), 57/min, 11 s left\nchecked 20 of 20 (100 %), 59/min\nchecking: 40 s\n',
    );
  });

  it('writes no elapsed time of a call beside the count that its caller writes without a terminal', async () => {
    const session = { terminal: fakeTerminal(), runtime: { clock } };
    const { terminal } = session;
    const api = watchCalls(
      {
        call: async (
          _: unknown,
          __: unknown,
          options: { onProgress: (done: number, of: number) => void },
        ) => {
          for (let done = 1; done <= 4; done++) {
            await vi.advanceTimersByTimeAsync(10_300);
            options.onProgress(done, 4);
          }
        },
        place: '',
        close: async () => {},
      },
      { terminal, clock, isHidden: () => false, reword: (problem) => problem },
    );
    await withCounts(session, 'page', (onProgress) =>
      api.call(
        readSitePaths,
        { params: { organizationId: 'o', siteId: 's' }, query: { paths: '[]' } },
        { onProgress },
      ),
    );
    const lines = terminal.stderr.text.trimEnd().split('\n');
    expect(lines.shift()).toBe(`${readSitePaths.summary}: 10 s`);
    expect(lines.map((line) => line.slice(0, 9))).toEqual([
      'page 1 of',
      'page 2 of',
      'page 3 of',
      'page 4 of',
    ]);
  });

  it('is labeled by the activity that made the calls, if there is one', async () => {
    const terminal = fakeTerminal({ tty: true });
    const call = async () => vi.advanceTimersByTimeAsync(1000);
    const api = { call, place: '', close: async () => {} } as unknown as Api;
    const watched = watchCalls(api, { terminal, clock, isHidden: () => false, reword: (problem) => problem });
    const input = { params: { organizationId: 'o', siteId: 's' }, query: { paths: '[]' } };
    await nameActivity(watched, 'Reading pages of Docs').call(readSitePaths, input);
    await watched.call(readSitePaths, input);
    expect(terminal.stderr.text).toBe(
      ['Reading pages of Docs: 1 s', '', `${readSitePaths.summary}: 1 s`, '']
        .map((line) => clear + line)
        .join(''),
    );
  });
});
