import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ignoreProblem, noteTarget, readOrganizationTitle } from '../../../src/cli/manifest/note-target.ts';
import type { Target } from '../../../src/cli/manifest/target.ts';
import type { Session } from '../../../src/cli/session/session.ts';
import { Problem } from '../../../src/errors/problem.ts';
import { temporaryFolder } from '../../stores/fixtures.ts';

/** Reads the title if the API returns `answer()`. */
const titleWhere = (answer: () => unknown) =>
  readOrganizationTitle(
    { runtime: {} } as unknown as Session,
    { organization: 'org_1', api: { call: async () => answer() } } as unknown as Target,
  );

describe('readOrganizationTitle', () => {
  it('returns the title, or the ID if the title cannot be read', async () => {
    expect(await titleWhere(() => ({ title: 'Acme "One"' }))).toBe('"Acme \\"One\\""');
    const refuse = () => {
      throw new Problem('forbidden', 'This token belongs to no user.');
    };
    expect(await titleWhere(refuse)).toBe('org_1');
  });

  it('throws errors that are bugs', async () => {
    const fail = () => {
      throw new TypeError('a fault');
    };
    await expect(titleWhere(fail)).rejects.toThrow(new TypeError('a fault'));
    expect(() => ignoreProblem(new TypeError('a fault'))).toThrow('a fault');
    expect(ignoreProblem(new Problem('forbidden', 'refused'))).toBeUndefined();
  });
});

describe('noteTarget', () => {
  /** Returns the notes of a plan for `org_1` if the state file contains the given organizations. */
  async function notesWhere(organizations: readonly string[], format = 'table'): Promise<string[]> {
    const path = join(temporaryFolder(), 'docsctl.lock.json');
    const sections = organizations.map((organization) => ({
      place: 'here',
      organization,
      key: '0'.repeat(32),
      serial: 1,
      resources: {},
    }));
    if (sections.length > 0) writeFileSync(path, JSON.stringify({ version: 1, sections }));
    const notes: string[] = [];
    await noteTarget(
      {
        format,
        terminal: { stderrIsTTY: false },
        runtime: {},
        note: (text: string) => void notes.push(text),
      } as unknown as Session,
      {
        organization: 'org_1',
        api: { call: async () => ({ title: 'Acme' }) },
        stateOptions: { path, place: 'here' },
      } as unknown as Target,
    );
    return notes;
  }
  const name = 'Organization "Acme" (org_1) on here';

  it('prints the organization, and warns if the manifest was applied only to another one', async () => {
    expect(await notesWhere([])).toEqual([name]);
    expect(await notesWhere(['org_1'])).toEqual([name]);
    expect(await notesWhere(['org_2', 'org_1'])).toEqual([name]);
    expect(await notesWhere(['org_2'])).toEqual([
      name,
      expect.stringMatching(/^warning: the manifest was last applied to organization org_2, never to "Acme"/),
    ]);
    expect(await notesWhere(['org_2'], 'json')).toEqual([]);
  });
});
