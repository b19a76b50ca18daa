import { describe, expect, it } from 'vitest';
import { drawIssue } from '../../../../src/cli/commands/conversations/draw-issue.ts';
import type { Session } from '../../../../src/cli/session/session.ts';
import { Problem } from '../../../../src/errors/problem.ts';

const organization = `org_${'0'.repeat(26)}`;
/** Draws the page of an issue; `cluster` answers the request for its cluster. */
const drawn = async (more: object = {}, cluster: () => unknown = () => ({}), subject?: string) => {
  const session = {
    settings: { org: { value: organization, from: '--org' } },
    terminal: { columns: 400, color: false },
    call: async (_operation: unknown, { params }: { params: object }) => {
      expect(params).toEqual({ organizationId: organization, clusterId: 'clu_1' });
      return cluster();
    },
  } as unknown as Session;
  const issue = {
    id: 'iss_1',
    title: 'Export fails',
    impact: 'low',
    summary: 'The button is green.',
    createdAt: '2026-01-05T09:00:00.000Z',
    details: { nodes: [] },
    ...more,
  };
  const page = await drawIssue(session, { issue, conversation: { id: 'con_1', subject } } as never);
  return page.replaceAll(/\s+/g, ' ');
};

describe('the page of an issue', () => {
  it('names its cluster by label and ID, or by ID alone if the cluster no longer exists', async () => {
    expect(await drawn()).toContain('in no cluster · conversation con_1');
    expect(await drawn({ cluster: 'clu_1' }, () => ({ label: 'PDF export' }))).toContain(
      '· cluster "PDF export" (clu_1) · conversation con_1',
    );
    const gone = () => {
      throw new Problem('not-found', 'There is no cluster "clu_1".');
    };
    expect(await drawn({ cluster: 'clu_1' }, gone)).toContain('· cluster clu_1 · conversation con_1');
    const refused = () => {
      throw new Problem('forbidden', 'This token may not read it.');
    };
    await expect(drawn({ cluster: 'clu_1' }, refused)).rejects.toThrow('This token may not read it.');
  });

  it('names its conversation with its subject', async () => {
    expect(await drawn({}, undefined, 'About  the\nexport')).toContain(
      'conversation con_1 "About the export"',
    );
    expect(await drawn({}, undefined, '')).not.toContain('con_1 "');
  });

  it('explains its impact, unless the impact was set by someone else', async () => {
    expect(await drawn({ impact: 'high', summary: 'Urgent: I was locked out.' })).toMatch(
      /high impact \(.+\)/,
    );
    expect(await drawn({ impact: 'low', summary: 'Urgent: I was locked out.' })).toContain('low impact ·');
  });
});
