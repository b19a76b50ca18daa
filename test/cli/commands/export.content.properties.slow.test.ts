import { appendFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { filesOf } from '../../content-sync/folder-support.ts';
import { manifestOf, organizations } from '../../manifest/organizations.ts';
import { contents, openRoom, soundContents } from '../manifest/content-rooms.ts';

const withoutLock = (dir: string) =>
  Object.fromEntries(Object.entries(filesOf(dir)).filter(([path]) => !path.startsWith('docsctl.state.json')));

it('an export has an empty plan, changes no file the second time, and is the same from a copy', async () => {
  await fc.assert(
    fc.asyncProperty(
      organizations,
      fc.array(contents, { minLength: 1, maxLength: 3 }),
      async (organization, given) => {
        const [here, there] = [await openRoom(), await openRoom()];
        try {
          writeFileSync(here.at('org.yaml'), manifestOf(organization));
          await here.done('apply', '-f', 'org.yaml', '-y');
          for (const [index, { id }] of (await here.spaces()).entries())
            await here.publish(id, given[index % given.length]!);
          await here.done('export', '-d', 'acme');
          const first = filesOf(here.at('acme'));
          expect(await here.run('plan', '-f', 'acme', '--detailed-exitcode')).toMatchObject({
            exit: 0,
            stdout: 'No changes.\n',
          });
          expect((await here.done('export', '-d', 'acme')).stderr).toContain('files: 0 new, 0 changed');
          expect(filesOf(here.at('acme'))).toEqual(first);
          there.take(here.at('acme'), 'given');
          await there.done('apply', '-f', 'given', '-y');
          expect(await there.run('plan', '-f', 'given', '--detailed-exitcode')).toMatchObject({
            exit: 0,
            stdout: 'No changes.\n',
          });
          await there.done('export', '-d', 'acme');
          expect(withoutLock(there.at('acme'))).toEqual(withoutLock(here.at('acme')));
        } finally {
          await here.close();
          await there.close();
        }
      },
    ),
    { numRuns: 3 },
  );
}, 120_000);

it('an edit of one exported file changes only this page', async () => {
  await fc.assert(
    fc.asyncProperty(soundContents, fc.nat(20), async (given, chosen) => {
      const room = await openRoom();
      try {
        writeFileSync(room.at('org.yaml'), 'version: 1\nspaces: { guide: { title: Guide } }\n');
        await room.done('apply', '-f', 'org.yaml', '-y');
        const [{ id } = { id: '' }] = await room.spaces();
        await room.publish(id, given);
        await room.done('export', '-d', 'acme');
        const pages = Object.keys(filesOf(room.at('acme'))).filter(
          (path) => path.endsWith('.md') && !path.endsWith('/SUMMARY.md') && !path.includes('/.gitbook/'),
        );
        fc.pre(pages.length > 0);
        const path = pages[chosen % pages.length]!;
        const before = await room.outline(id);
        appendFileSync(room.at('acme', path), '\nedited\n');
        expect((await room.done('plan', '-f', 'acme')).stdout).toMatch(/content: \d+ pages? changed/);
        await room.done('apply', '-f', 'acme', '-y');
        expect(await room.outline(id)).toEqual(before);
        expect(await room.run('plan', '-f', 'acme', '--detailed-exitcode')).toMatchObject({
          exit: 0,
          stdout: 'No changes.\n',
        });
        expect((await room.done('export', '-d', 'acme')).stderr).toContain('files: 0 new, 0 changed');
        expect(filesOf(room.at('acme'))[path]).toMatch(/\nedited\n$/);
      } finally {
        await room.close();
      }
    }),
    { numRuns: 3 },
  );
}, 120_000);
