import { expect, it } from 'vitest';
import { watchApply } from '../../../src/cli/manifest/watch-apply.ts';
import type { Session } from '../../../src/cli/session/session.ts';
import { Problem } from '../../../src/errors/problem.ts';
import type { PlanDocument, Step } from '../../../src/manifest/plan-document.ts';

const steps = Array.from({ length: 8 }, (_, n): Step => ({
  key: `space.s${n}`,
  address: `space.s${n}`,
  kind: 'space',
  action: 'create',
  name: 's',
  changes: [],
  after: [],
  calls: 1,
  at: 'a.yaml:1:1',
}));

function watching(isTerminal: boolean, format: Session['format'] = 'table', stdoutIsTTY = true) {
  let time = 0;
  let written = '';
  const stderr = {
    write: (text: string | Uint8Array) => void (written += String(text)),
    flush: async () => {},
    closed: false,
  };
  const terminal = { stderr, stderrIsTTY: isTerminal, stdoutIsTTY, columns: 200 };
  const session = {
    terminal,
    format,
    note: (line: string) => stderr.write(`${line}\n`),
    runtime: { clock: () => time },
  } as unknown as Session;
  const watch = watchApply(session, {
    steps: [...steps, { ...steps[0]!, key: 'space.same', action: 'none' }],
  } as unknown as PlanDocument);
  return {
    watch,
    start: (n: number) => watch.onEvent({ type: 'started', step: steps[n]! }),
    end: (n: number, problem?: Problem) => {
      const { key, address, kind, name, action } = steps[n]!;
      watch.onEvent({
        type: 'ended',
        step: steps[n]!,
        row: {
          key,
          address,
          kind,
          name,
          action,
          status: problem === undefined ? 'done' : 'failed',
          ...(problem === undefined ? { id: `spc_${n}` } : { problem }),
        },
      });
    },
    pass: (milliseconds: number) => void (time += milliseconds),
    written: () => written,
  };
}

it('watchApply shows running and waiting steps and the remaining time on a terminal', () => {
  const { start, end, pass, written, watch } = watching(true);
  for (const n of [0, 1, 2, 3]) start(n);
  for (const n of [0, 1, 2, 3]) {
    pass(1000);
    end(n);
    pass(200);
    start(n + 4 > 7 ? 7 : n + 4);
  }
  expect(written()).toContain('applied 0 of 8 (0 %) running space.s0; 7 waiting');
  expect(written()).toContain(
    'applied 4 of 8 (50 %), 50/min, 5 s left running space.s4, space.s5, space.s6 and 1 more',
  );
  watch.done();
  expect(written().endsWith('\r\u001b[2K')).toBe(true);
});

it('watchApply keeps failures above the progress line', () => {
  const { start, end, written } = watching(true);
  start(0);
  end(
    0,
    new Problem('conflict', 'Taken.', {
      violations: [{ path: '/body/title', message: 'is taken' }],
      hint: 'Choose another.',
    }),
  );
  expect(written()).toContain(
    '\r\u001b[2Kfailed space.s0 at a.yaml:1:1: Taken. /body/title is taken Choose another.\n\r\u001b[2Kapplied 1 of 8',
  );
});

it('watchApply prints only failures if stdout is not a terminal, because rows are printed there', () => {
  const log = watching(false, 'table', false);
  log.start(0);
  log.end(0);
  log.end(1, new Problem('conflict', 'Taken.'));
  expect(log.written()).toBe('failed space.s1 at a.yaml:1:1: Taken.\n');
});

it('watchApply prints a line for each step without a terminal, and nothing with -o json', () => {
  const plain = watching(false);
  plain.start(0);
  plain.end(0);
  expect(plain.written()).toBe('created space.s0 (spc_0)\n');
  const data = watching(false, 'json');
  data.start(0);
  data.end(0, new Problem('conflict', 'Taken.'));
  expect(data.written()).toBe('');
});
