import { expect, it } from 'vitest';
import { verbGroups } from '../../../src/cli/commands/groups.ts';
import { docsctl } from '../../support/cli.ts';

it.each(Object.entries(verbGroups))(
  'docsctl %s --help shows every command in exactly one group',
  async (noun, groups) => {
    const { stdout } = await docsctl([noun, '--help'], { home: '/nowhere' });
    const headings = [...stdout.matchAll(/^(\S.*):$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([...Object.keys(groups), 'Examples']);
    const verbs = [...stdout.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, verb]) => verb);
    expect(verbs).toEqual(Object.values(groups).flat());
    expect(new Set(verbs).size).toBe(verbs.length);
  },
);
