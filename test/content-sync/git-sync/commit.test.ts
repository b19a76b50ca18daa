import { expect, it } from 'vitest';
import { composeMessage } from '../../../src/content-sync/git-sync/commit.ts';
import type { SyncRun } from '../../../src/content-sync/git-sync/sync-run.ts';
import { changeRequests, type ChangeRequestRow } from '../../../src/core/rows/change-requests.ts';
import { revisions, type RevisionRow } from '../../../src/core/rows/revisions.ts';
import { openStore } from '../../../src/stores/index.ts';
import { tables } from '../../../src/resources/tables.ts';

/** Returns the message for the last of the given number of revisions, if the revisions with these numbers are merges. */
async function messageFor(count: number, merges: readonly number[]): Promise<string> {
  const store = await openStore('memory:', { tables });
  await store.write(async (tx) => {
    for (let at = 1; at <= count; at++)
      await tx.insert(revisions, {
        id: `rev_${at}`,
        parents: at === 1 ? [] : [`rev_${at - 1}`],
        ...(merges.includes(at) ? { mergedFrom: `cr_${at}` } : {}),
      } as unknown as RevisionRow);
    for (const at of merges)
      await tx.insert(changeRequests, {
        id: `cr_${at}`,
        space: 'spc_1',
        number: at,
        subject: at % 2 === 0 ? 'Even' : '',
      } as ChangeRequestRow);
  });
  const sync = { run: {}, since: undefined } as SyncRun;
  return store.read((view) => composeMessage(view, sync, `rev_${count}`));
}

it('names at most 50 change requests of the last 1,000 revisions in the commit message', async () => {
  expect(await messageFor(1, [])).toBe('Update the content\n\nRevision: rev_1');
  expect(await messageFor(1001, [1])).toBe('Update the content\n\nRevision: rev_1001');
  expect(await messageFor(1001, [1, 2])).toBe('Change request 2: Even\n\nRevision: rev_1001');
  expect(await messageFor(3, [2, 3])).toBe(
    'Merge 2 change requests\n\n- Change request 3\n- Change request 2: Even\n\nRevision: rev_3',
  );
  const many = await messageFor(
    60,
    Array.from({ length: 60 }, (_, at) => at + 1),
  );
  expect(many.match(/^- /gm)).toHaveLength(50);
});
