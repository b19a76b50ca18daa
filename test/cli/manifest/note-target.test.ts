import { describe, expect, it } from 'vitest';
import { ignoreProblem, readOrganizationTitle } from '../../../src/cli/manifest/note-target.ts';
import type { Target } from '../../../src/cli/manifest/target.ts';
import type { Session } from '../../../src/cli/session.ts';
import { Problem } from '../../../src/errors/problem.ts';

/** Reads the title where the call of the API answers so. */
const titleWhere = (answer: () => unknown) =>
  readOrganizationTitle(
    { runtime: {} } as unknown as Session,
    { organization: 'org_1', api: { call: async () => answer() } } as unknown as Target,
  );

describe('the organization that a plan is for', () => {
  it('is named by its title, or by its ID where the title cannot be read', async () => {
    expect(await titleWhere(() => ({ title: 'Acme "One"' }))).toBe('"Acme \\"One\\""');
    const refuse = () => {
      throw new Problem('forbidden', 'This token belongs to no user.');
    };
    expect(await titleWhere(refuse)).toBe('org_1');
  });

  it('is not guessed after a fault of the program', async () => {
    const fail = () => {
      throw new TypeError('a fault');
    };
    await expect(titleWhere(fail)).rejects.toThrow(new TypeError('a fault'));
    expect(() => ignoreProblem(new TypeError('a fault'))).toThrow('a fault');
    expect(ignoreProblem(new Problem('forbidden', 'refused'))).toBeUndefined();
  });
});
