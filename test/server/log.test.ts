import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/errors/problem.ts';
import { logFault } from '../../src/server/access-log.ts';
import { logClaim, logJobEnd } from '../../src/server/job-log.ts';
import { createLog, type LogLevel } from '../../src/server/log.ts';

function logTo(level: LogLevel) {
  const lines: string[] = [];
  const log = createLog({ level, clock: () => 0, write: (line) => void lines.push(line) });
  return { log, lines, entries: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>) };
}

describe('a log', () => {
  it('has one line of JSON for each entry of its level or above', () => {
    const { log, lines } = logTo('warn');
    for (const level of ['debug', 'info', 'warn', 'error'] as const)
      log.write(level, { event: 'reload', message: `a\n${level}` });
    expect(lines).toEqual(
      ['warn', 'error'].map(
        (level) =>
          `{"level":"${level}","time":"1970-01-01T00:00:00.000Z","event":"reload","message":"a\\n${level}"}\n`,
      ),
    );
    expect((['error', 'warn', 'info', 'debug'] as const).map(log.isEnabled)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('contains no secrets of errors, of their causes or of the address of a store', () => {
    const { log, lines } = logTo('error');
    const canary = 'Can4ryCan4ryCan4ryCan4ry';
    const cause = new Error(`Authorization: Bearer ${canary}`);
    const texts = [
      `GET /saml?token=${canary}&code=${canary}`,
      `dctl_${canary}abcdefgh`,
      `dcti_${canary}`,
      `cookie: gitbook-visitor-token=${canary}; other=${canary}`,
      `{"password":"${canary}"}`,
      `{"client_secret": "${canary}"}`,
      `postgres://ana:${canary}@db.test/docs`,
      `eyJhbGciOiJIUzI1NiJ9.${canary}.${canary}`,
    ];
    for (const text of texts) logFault(log, 'req_1', new Error(text, { cause }));
    log.write('error', { event: 'start', store: `postgres://ana:${canary}@db.test/docs?sslmode=require` });
    expect(lines).toHaveLength(texts.length + 1);
    expect(lines.join('')).not.toContain('Can4ry');
    expect(lines.at(-1)).toContain('"store":"postgres://[secret]@db.test/docs?sslmode=require"');
    expect(lines[0]).toContain('"message":"GET /saml?token=[secret]&code=[secret]"');
  });

  it('contains the start and end of each job, and the reason of a failure', () => {
    const { log, entries } = logTo('info');
    const job = { kind: 'openapi', subject: 'spc_1', organization: 'org_1', claimedAt: performance.now() };
    const names = { event: 'job', kind: 'openapi', subject: 'spc_1', organization: 'org_1' };
    logClaim(log, job);
    logJobEnd(log, job, { ...job, end: 'done' });
    logJobEnd(log, job, { ...job, end: 'done', trouble: 'The store was not rewritten.' });
    logJobEnd(
      log,
      { ...job, organization: '' },
      { ...job, end: 'failed', problem: new Problem('timed-out', 'Late.') },
    );
    expect(entries().map(({ time: _time, ...entry }) => entry)).toEqual([
      { ...names, level: 'info', state: 'claimed' },
      { ...names, level: 'info', state: 'done', ms: expect.any(Number) },
      {
        ...names,
        level: 'warn',
        state: 'done',
        ms: expect.any(Number),
        message: 'The store was not rewritten.',
      },
      {
        ...names,
        level: 'error',
        state: 'failed',
        organization: null,
        ms: expect.any(Number),
        reason: 'timed-out',
        message: 'Late.',
      },
    ]);
  });
});
