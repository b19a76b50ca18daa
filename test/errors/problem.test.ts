import { describe, expect, it } from 'vitest';
import { catalog } from '../../src/errors/catalog.ts';
import { invalid, isProblem, notFound, Problem, withPath, withTexts } from '../../src/errors/problem.ts';
import { problemFromResponse } from '../../src/client/problem-from-response.ts';

describe('Problem', () => {
  it('is unchanged after being sent over HTTP', () => {
    for (const reason of Object.keys(catalog) as (keyof typeof catalog)[]) {
      const problem = new Problem(reason, 'No.', { hint: 'Do.', violations: [{ path: '/a', message: 'b' }] });
      const back = problemFromResponse(problem.status, JSON.parse(JSON.stringify(problem)));
      expect([back.reason, back.exitCode, back.message, back.hint, back.violations]).toEqual([
        reason,
        problem.exitCode,
        'No.',
        'Do.',
        [{ path: '/a', message: 'b' }],
      ]);
    }
  });

  it('has only the fields in its JSON that it has a value for', () => {
    const plain = { code: 404, message: 'No.', reason: 'not-found' };
    expect(JSON.parse(JSON.stringify(new Problem('not-found', 'No.')))).toEqual({ error: plain });
    const more = { hint: 'Do.', violations: [{ path: '/a', message: 'b' }], requestId: 'req_1' };
    expect(JSON.parse(JSON.stringify(new Problem('not-found', 'No.', more)))).toEqual({
      error: { ...plain, ...more },
    });
  });

  it('keeps its operation, request and delay when its texts change', () => {
    const problem = new Problem('forbidden', 'No a.', { hint: 'Do a.', requestId: 'req_1', retryAfter: 3 });
    problem.operationId = 'spaces.list';
    const kept = { reason: 'forbidden', operationId: 'spaces.list', requestId: 'req_1', retryAfter: 3 };
    const changed = withTexts(problem, (text) => text.replace('a', 'b'));
    expect(changed).toMatchObject({ ...kept, message: 'No b.', hint: 'Do b.' });
    expect(problem.with({ message: 'No.' })).toMatchObject({ ...kept, message: 'No.', hint: 'Do a.' });
  });

  it('never has the exit code 0, whatever a server returns', () => {
    for (const reason of ['__proto__', 'constructor', 'toString', 'nonsense', 7, null]) {
      for (const status of [400, 401, 403, 404, 409, 418, 429, 500, 502, 503]) {
        const problem = problemFromResponse(status, {
          error: { code: 'x', message: { a: 1 }, reason, violations: 'q' },
        });
        expect(problem.exitCode).toBeGreaterThan(0);
      }
    }
  });
});

describe('notFound', () => {
  it('says which kind of resource an ID belongs to', () => {
    const of = (kind: string, id: string) => notFound(kind, id).message;
    expect(of('space', 'org_01M8MN7NGQ6M9A0RYSE7M35D1V')).toBe(
      '"org_01M8MN7NGQ6M9A0RYSE7M35D1V" is the ID of an organization, and not of a space.',
    );
    expect(of('organization', 'spc_01M8MN7NGQ6M9A0RYSE7M35D1V')).toBe(
      '"spc_01M8MN7NGQ6M9A0RYSE7M35D1V" is the ID of a space, and not of an organization.',
    );
    expect(of('change request', 'cr_01M8MN7NGQ6M9A0RYSE7M35D1V')).toBe(
      'There is no change request "cr_01M8MN7NGQ6M9A0RYSE7M35D1V" that you can see.',
    );
    expect(of('page', 'site_overview')).toBe('There is no page "site_overview" that you can see.');
    expect(of('space', 'constructor_1')).toBe('There is no space "constructor_1" that you can see.');
  });
});

it('shows at most 120 characters of an ID', () => {
  const start = '0123456789'.repeat(12);
  expect(notFound('space', start).message).toBe(`There is no space "${start}" that you can see.`);
  expect(notFound('space', `${start}0`).message).toBe(`There is no space "${start}" that you can see.`);
});

describe('withPath', () => {
  it.each([
    ['a.md', 'does not exist', 'a.md does not exist'],
    ['a.md', 'no heading', 'a.md: no heading'],
    ['a.yaml:2:1', 'is not a known field', 'a.yaml:2:1: is not a known field'],
    ['/body/title', 'island', '/body/title: island'],
  ])('combines %s and "%s" to a sentence', (path, message, sentence) => {
    expect(withPath({ path, message })).toBe(sentence);
  });
});

describe('isProblem', () => {
  it('checks for a Problem with one of the given reasons', () => {
    const problem = new Problem('not-found', 'No.');
    expect(isProblem(problem, 'not-found')).toBe(true);
    expect(isProblem(problem, 'forbidden', 'not-found')).toBe(true);
    expect(isProblem(problem, 'forbidden')).toBe(false);
    expect(isProblem(problem)).toBe(false);
    expect(isProblem(Object.assign(new Error('No.'), { reason: 'not-found' }), 'not-found')).toBe(false);
  });
});

describe('common problems', () => {
  it('notFound names what was not found, cut to 120 characters', () => {
    expect(notFound('site', 's'.repeat(121)).message).toBe(
      `There is no site "${'s'.repeat(120)}" that you can see.`,
    );
  });

  it('invalid names the path of the invalid value', () => {
    expect(invalid('/body/title', 'is empty', 'Give one.')).toMatchObject({
      reason: 'invalid-input',
      violations: [{ path: '/body/title', message: 'is empty' }],
      hint: 'Give one.',
    });
  });
});
