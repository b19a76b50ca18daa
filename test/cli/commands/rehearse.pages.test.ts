import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { openRoom } from '../manifest/content-rooms.ts';

const rooms: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const room of rooms.splice(0)) await room.close();
});

async function newRoom() {
  const room = await openRoom();
  rooms.push(room);
  return room;
}

const manifest = (source: string, path: string) => `version: 1
spaces:
  guide: { title: Guide, content: { dir: guide } }
sites:
  docs:
    title: Docs
    basename: docs
    siteSpaces: [{ path: guide, space: !ref space.guide }]
    redirects:
      - { source: ${source}, space: !ref space.guide, path: ${path} }
    customization:
      footer:
        groups:
          - { title: More, links: [{ title: Start, to: { kind: page, space: !ref space.guide, page: start } }] }
`;

it('page redirects and links are applied after the content, rehearsed on a copy, and exported', async () => {
  const room = await newRoom();
  mkdirSync(room.at('guide'));
  writeFileSync(room.at('guide', 'README.md'), '# Guide\n');
  writeFileSync(room.at('guide', 'start.md'), '# Start\n');
  writeFileSync(room.at('guide', 'SUMMARY.md'), '# Summary\n\n* [Guide](README.md)\n* [Start](start.md)\n');
  const file = room.at('docsctl.yaml');
  writeFileSync(file, manifest('/old', 'start'));
  await room.done('apply', '-f', file, '--yes');
  expect((await room.done('plan', '-f', file)).stdout).toContain('No changes.');
  const { stdout } = await room.done('sites', 'redirects', 'resolve', '/old', '--site', 'Docs', '-o', 'json');
  expect(JSON.parse(stdout).target).toMatch(/\/start$/);

  writeFileSync(file, manifest('/older', 'start'));
  const rehearsed = JSON.parse((await room.done('rehearse', '-f', file, '-o', 'json')).stdout);
  expect(rehearsed.counts).toMatchObject({ done: 1, failed: 0, unrehearsed: 0 });
  writeFileSync(file, manifest('/older', 'nowhere'));
  const failed = await room.run('rehearse', '-f', file, '-o', 'json');
  expect(failed.stdout + failed.stderr).toContain('has no page \\"nowhere\\"');

  await room.done('export', '-d', room.at('copy'), '--portable');
  const other = await newRoom();
  other.take(room.at('copy'), 'copy');
  await other.done('apply', '-f', other.at('copy', 'docsctl.yaml'), '--yes');
  const again = await other.done('sites', 'redirects', 'resolve', '/old', '--site', 'Docs', '-o', 'json');
  expect(JSON.parse(again.stdout).target).toMatch(/\/start$/);
});
