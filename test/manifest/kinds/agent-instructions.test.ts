import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { documentToMarkdown, markdownToDocument } from '../../../src/richtext/markdown.ts';
import {
  getAgentInstructions,
  updateAgentInstructions,
} from '../../../src/resources/agent-instructions/contract.ts';
import { createBench, linesOf, type Bench } from '../bench.ts';
import { faultsIn } from '../read/folder.ts';

const text = 'org: { agents: { instructions: !file agents.md } }';
const write = (bench: Bench, markdown: string) => writeFileSync(join(bench.folder, 'agents.md'), markdown);
const params = (bench: Bench) => ({ organizationId: bench.world.org });
const live = async (bench: Bench) =>
  (await bench.world.as('admin').call(getAgentInstructions, { params: params(bench) })).instructions;

async function instructed(markdown = '# Tone\n\nBe *short*.\n\n- one\n- two\n') {
  const bench = await createBench();
  write(bench, markdown);
  await bench.bring(text);
  return bench;
}

describe('agent instructions in a manifest', () => {
  it('are sent as a document made from Markdown, and the next plan is empty', async () => {
    const bench = await instructed();
    expect(documentToMarkdown(await live(bench))).toContain('# Tone\n\nBe *short*.');
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('have no changes if the same document is written in another way', async () => {
    const bench = await instructed();
    write(bench, 'Tone\r\n====\r\n\r\nBe _short_.\r\n\r\n* one\r\n* two\r\n\r\n\r\n');
    expect(linesOf(await bench.plan())).toEqual([]);
    write(bench, '# Tone\n\nBe **short**.\n\n- one\n- two\n');
    expect((await bench.plan()).counts.update).toBe(1);
    await bench.apply();
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('need only one apply, whatever Markdown they contain', async () => {
    const samples = [
      'a  \nb',
      '1. x\n   - y\n     > z\n',
      '```js\ncode\n```\n',
      '| a | b |\n|---|---|\n| 1 | *2* |\n',
      '{% hint style="info" %}\nhello\n{% endhint %}\n',
      '- [ ] open\n- [x] done',
      'a\\*b <b>x</b> &amp; [l](https://a.test "t")',
      '\n\n',
    ];
    for (const sample of samples)
      expect([sample, linesOf(await (await instructed(sample)).plan())]).toEqual([sample, []]);
  });

  it('are cleared by null and by an empty file', async () => {
    const bench = await instructed();
    await bench.bring('org: { agents: { instructions: null } }');
    expect((await live(bench)).nodes).toEqual([]);
    expect(linesOf(await bench.plan())).toEqual([]);
    write(bench, '\n');
    bench.write(text);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('show changes made by hand', async () => {
    const bench = await instructed('Be short.');
    await bench.world.as('admin').call(updateAgentInstructions, {
      params: params(bench),
      body: { instructions: markdownToDocument('Be long.') },
    });
    expect((await bench.plan()).steps[0]!.changes).toEqual([
      { field: 'instructions', before: 'Be long.', after: 'Be short.', moved: 'live' },
    ]);
  });

  it('report mistakes with their positions', async () => {
    const bench = await createBench('org: { agents: { instructions: { a: 1 } } }');
    expect(await faultsIn(bench.plan())).toEqual(['org.yaml:2:32: a map is not allowed here; expected text']);
    bench.write('org: { agents: { instruction: x } }');
    expect((await faultsIn(bench.plan()))[0]).toMatch(
      /^org\.yaml:2:18: "instruction" is not a known field; did you mean "?instructions"?\?/,
    );
    write(bench, '> '.repeat(500) + 'deep');
    bench.write(text);
    expect((await faultsIn(bench.plan()))[0]).toMatch(/^org\.yaml:2:32: cannot be read as Markdown: /);
  });
});
