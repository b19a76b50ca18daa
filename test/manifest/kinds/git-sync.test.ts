import { describe, expect, it } from 'vitest';
import { findDrift, hasNoDrift } from '../../../src/manifest/find-drift.ts';
import { readState } from '../../../src/manifest/state-file.ts';
import { connectGitRepository, getGitInfo } from '../../../src/resources/git-sync/contract.ts';
import { getSpace } from '../../../src/resources/spaces/contract.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { desiredFaults } from '../desired.ts';
import { applyTo, exportBench, planOf, textOf } from '../export/export-bench.ts';
import { createUndoBench } from '../journal/undo-bench.ts';
import { rehearseBench } from '../rehearse/rehearse-bench.ts';

const at = (bench: Bench) => ({ params: { spaceId: bench.lock!.resources['space.guide']!.id } });
const infoOf = (bench: Bench) => bench.api.call(getGitInfo, at(bench));
const settled = async (bench: Bench) => expect(linesOf(await bench.plan())).toEqual([]);
const driftOf = (bench: Bench) =>
  findDrift({ api: bench.api, state: readState(bench.lockOptions), concurrency: 4 });

const text = (gitSync: string) => `spaces:
  guide:
    title: Guide
    gitSync: ${gitSync}
`;
const url = 'https://git.example.com/acme/docs.git';
const usual = text(
  `{ repository: "${url}", branch: main, directory: handbook, treeUrl: "https://git.example.com/tree", commitUrl: "https://git.example.com/commit", provider: gitlab }`,
);

describe('gitSync in a manifest', () => {
  it('sets the repository of a space, and the next plan is empty', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    expect(await infoOf(bench)).toMatchObject({
      repository: url,
      ref: 'refs/heads/main',
      directory: 'handbook',
      url: 'https://git.example.com/tree',
      commitUrl: 'https://git.example.com/commit',
      installationProvider: 'gitlab',
    });
    await settled(bench);
    expect(hasNoDrift(await driftOf(bench))).toBe(true);
    bench.write(usual.replace('main', 'refs/heads/main').replace('handbook', './handbook/'));
    await settled(bench);
  });

  it('replaces the whole connection, keeps it if it is not stated, and removes it with null', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const next = text(`{ repository: "${url}", branch: v2 }`);
    bench.write(next);
    expect(linesOf(await bench.plan())).toEqual([expect.stringMatching(/^update space.guide gitSync: /)]);
    await bench.bring(next);
    const info = await infoOf(bench);
    expect(info).toMatchObject({ ref: 'refs/heads/v2', repoName: 'acme/docs' });
    for (const field of ['directory', 'url', 'commitUrl', 'installationProvider'])
      expect(info).not.toHaveProperty(field);
    await settled(bench);
    await bench.bring('spaces: { guide: { title: Guide } }');
    expect(await infoOf(bench)).toMatchObject({ ref: 'refs/heads/v2' });
    await bench.bring(text('null'));
    await expect(infoOf(bench)).rejects.toMatchObject({ reason: 'not-found' });
    expect(await bench.api.call(getSpace, at(bench))).not.toHaveProperty('gitSync');
    await settled(bench);
  });

  it('shows changes made by hand', async () => {
    const bench = await createBench();
    await bench.bring(text(`{ repository: "${url}", branch: main }`));
    await bench.api.call(connectGitRepository, { ...at(bench), body: { url, ref: 'next' } });
    expect((await driftOf(bench)).resources).toMatchObject([
      {
        address: 'space.guide',
        changes: [{ field: 'gitSync', before: { branch: 'main' }, after: { branch: 'next' } }],
      },
    ]);
  });

  it('is exported without credentials, and is the same in an empty organization', async () => {
    const bench = await createBench();
    await bench.bring(usual);
    const secret = 'https://ana:canary@git.example.com/acme/docs.git';
    const body = { url: secret, ref: 'main', repoProjectDirectory: 'handbook' };
    await bench.api.call(connectGitRepository, { ...at(bench), body });
    const exported = await exportBench(bench);
    expect(textOf(exported)).toContain(
      `gitSync:\n      repository: ${url}\n      branch: main\n      directory: handbook\n`,
    );
    expect(textOf(exported)).not.toContain('canary');
    expect(linesOf(await planOf(bench, exported))).toEqual([]);
    const other = await createBench();
    await applyTo(other, exported, 4);
    expect(textOf(await exportBench(other))).toBe(textOf(exported));
  });

  it('is rehearsed like it is applied, and can be undone', async () => {
    const bench = await createUndoBench();
    await bench.bring(usual);
    const before = textOf(await exportBench(bench));
    bench.write(text(`{ repository: "${url}", branch: v2 }`));
    const { rows, unsettled, notCopied } = await rehearseBench(bench);
    expect(rows.map(({ key, status }) => [key, status])).toEqual([['space.guide', 'done']]);
    expect([unsettled, notCopied]).toEqual([[], []]);
    await bench.apply();
    await bench.undo();
    expect(textOf(await exportBench(bench))).toBe(before);
    await bench.bring(text('null'));
    await bench.undo();
    expect(textOf(await exportBench(bench))).toBe(before);
  });

  it('reports mistakes with their positions', async () => {
    expect(
      await desiredFaults(text('{ repository: "https://ana:pw@git.example.com/r.git", branch: main }')),
    ).toEqual([expect.stringMatching(/^org.yaml:5:28: the address contains a user name or password; /)]);
    expect(await desiredFaults(text(`{ repository: "${url}" }`))).toEqual([
      expect.stringContaining('branch'),
    ]);
    const bench = await createBench(text(`{ repository: "ssh://git.example.com/r.git", branch: main }`));
    const { rows } = await bench.apply();
    expect(rows.find(({ status }) => status === 'failed')?.problem?.message).toBe(
      'A server synchronizes only with repositories at https addresses.',
    );
  });
});
