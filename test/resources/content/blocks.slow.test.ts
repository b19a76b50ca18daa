import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import { backgroundEnded } from '../../../src/core/background.ts';
import type { Caller } from '../../../src/core/callers.ts';
import type { ScriptRun, ScriptRuntime } from '../../../src/core/scripts.ts';
import { getPage } from '../../../src/resources/content/space-pages/contract.ts';
import type { BookPage } from '../../../src/pdf/book.ts';
import { readBook } from '../../../src/resources/content/pdf/read-book.ts';
import { blockDrawer } from '../../../src/resources/content/blocks/page-blocks.ts';
import { getEvent, listEvents } from '../../../src/resources/integration-events/contract.ts';
import { BlockRenderer, pageLimits } from '../../../src/resources/content/blocks/render-blocks.ts';
import {
  installOnSpace,
  updateInstallation,
} from '../../../src/resources/integration-installations/contract.ts';
import { spaces } from '../../../src/core/rows/spaces.ts';
import { servicesOf } from '../../../src/core/embedded.ts';
import { readFacts } from '../../../src/pdf/book.ts';
import { downloadSpacePdf } from '../../../src/resources/spaces/contract.ts';
import { renderPdf } from '../../../src/pdf/render-pdf.ts';
import { plainText } from '../../../src/richtext/nodes.ts';
import { markdownToRead } from '../../../src/richtext/readable.ts';
import { readPdf } from '../../pdf/read-pdf.ts';
import { quickjs, samples, scriptOf } from '../../script-runtime/samples.ts';
import { createWorld, type Who, type World } from '../../support/world.ts';
import { openDesk, page, type Desk } from '../content-support.ts';
import { install, publish } from '../integrations/support.ts';

let runtime: ScriptRuntime;
/** The runs that were requested of the script runtime. */
let runs: ScriptRun[];
let worlds = 0;
let world: World;
let desk: Desk;
beforeAll(() => {
  runtime = quickjs();
});
afterAll(() => runtime.close());
beforeEach(async () => {
  world = await createWorld();
  desk = await openDesk(world);
  runs = [];
  const suffix = ` world ${++worlds}`;
  const scripts: ScriptRuntime = {
    run: (request) => {
      runs.push(request);
      // Worlds have the same IDs and share a runtime, so their versions must differ.
      return runtime.run({ ...request, version: request.version + suffix });
    },
    close: async () => {},
  };
  Object.assign(world.core, { scripts });
});

const blocks = [
  { id: 'diagram', title: 'Diagram', markdown: { codeblock: 'chart', body: 'content' } },
  { id: 'absent', title: 'Absent' },
];
const text = `# Charts

{% @bot/diagram content="from the tag" %}

\`\`\`chart
from the code
\`\`\`

\`\`\`js
stays()
\`\`\`
`;

/** Publishes a page with the text, and reads it with its blocks. */
async function read(markdown: string, who: Who = 'edit') {
  const { pages } = await desk.publish(page('Page', { document: { markdown } }));
  const answer = await world.as(who).call(getPage, {
    params: { spaceId: desk.spaceId, pageId: pages![0]!.id },
    query: { blocks: true },
  });
  expect(violationsOf(getPage.returns.schema, answer, '')).toEqual([]);
  return answer.blocks!;
}
const drawn = async (markdown: string, who?: Who) =>
  (await read(markdown, who)).map(({ document, problem }) => [plainText(document.nodes), problem]);

describe('the blocks of a page', () => {
  it.each(['v1', 'v2'] as const)(
    'are rendered by a script of the form %s, from tags and code blocks',
    async (form) => {
      await publish(world, 'bot', { blocks, script: samples[form], runtime: form });
      await install(world);
      expect(await read(text)).toMatchObject([
        { integration: 'bot', block: 'diagram', props: { content: 'from the tag' } },
        { integration: 'bot', block: 'diagram', code: { syntax: 'chart', content: 'from the code' } },
      ]);
      expect(runs[0]?.message.event).toMatchObject({
        type: 'ui_render',
        componentId: 'diagram',
        props: { content: 'from the tag' },
        spaceId: desk.spaceId,
        auth: { userId: 'usr_edit' },
        context: { type: 'document', spaceId: desk.spaceId },
      });
      expect(runs[1]?.message.event['props']).toEqual({ content: 'from the code' });
    },
  );

  it('are omitted unless they are requested', async () => {
    await publish(world, 'bot', { blocks, script: samples.v2, runtime: 'v2' });
    await install(world);
    const { pages } = await desk.publish(page('Page', { document: { markdown: text } }));
    const params = { spaceId: desk.spaceId, pageId: pages![0]!.id };
    expect(await world.as('read').call(getPage, { params })).not.toHaveProperty('blocks');
    expect(runs).toEqual([]);
  });

  it('are rendered once if they are equal', async () => {
    await publish(world, 'bot', { blocks, script: samples.v2, runtime: 'v2' });
    await install(world);
    const answer = await read(`${text}\n> {% @bot/diagram content="from the code" %}\n`);
    expect(answer).toHaveLength(3);
    expect(runs).toHaveLength(2);
  });

  it('become placeholders, with the reason only for editors', async () => {
    await publish(world, 'bot', { blocks, script: samples.v2, runtime: 'v2' });
    const tags =
      '{% @bot/diagram content="a" %}\n\n{% @bot/absent url="https://example.com/" %}\n\n{% @bot/other %}\n';
    const missing = 'The integration "bot" is not installed on this space.';
    expect((await drawn(tags)).map(([, problem]) => problem)).toEqual([missing, missing, missing]);
    await install(world);
    const label = '(block of the integration "bot")';
    expect((await drawn(tags)).slice(1)).toEqual([
      [
        `Absent ${label}\nIt answered 404: Component absent not found`,
        'It answered 404: Component absent not found',
      ],
      [`bot/other ${label}\nThe integration "bot" has no block "other".`, expect.any(String)],
    ]);
    expect((await drawn(tags, 'read')).slice(1)).toEqual([
      [`Absent ${label}`, undefined],
      [`bot/other ${label}`, undefined],
    ]);
  });

  it('are recorded as events with traces, whether rendering succeeds or fails', async () => {
    await publish(world, 'bot', { blocks, script: samples.v2, runtime: 'v2' });
    await install(world);
    await drawn('{% @bot/diagram content="private text" %}\n\n{% @bot/absent %}\n', 'read');
    await backgroundEnded(world.core);
    const at = { params: { integrationName: 'bot' } };
    const { items } = await world.as('admin').call(listEvents, at);
    const draws = items.filter(({ payload }) => payload.type === 'ui_render');
    expect(
      draws.map(({ payload, delivery, status }) => [
        (payload as unknown as { componentId: string }).componentId,
        delivery.status,
        status,
      ]),
    ).toEqual(
      expect.arrayContaining([
        ['diagram', 200, 'success'],
        ['absent', 404, 'success'],
      ]),
    );
    expect(JSON.stringify(items)).not.toContain('private text');
    const params = { ...at.params, eventId: draws[0]!.id };
    const { trace } = await world.as('admin').call(getEvent, { params });
    expect(trace?.logs.map(({ message }) => message)).toContain('handles ui_render');
  });

  it('that miss the time limit are recorded as failed events', async () => {
    const script = scriptOf('v2', 'await new Promise((resolve) => setTimeout(resolve, 1e6))');
    await publish(world, 'bot', { blocks, script, runtime: 'v2' });
    await install(world);
    const viewer = {
      space: { id: desk.spaceId, organization: world.org },
      caller: { user: { id: 'usr_edit' } } as Caller,
      role: 'edit' as const,
    };
    const renderer = new BlockRenderer(servicesOf(world.core), viewer, { ...pageLimits, time: 50 });
    const [late] = await renderer.render(markdownToRead('{% @bot/diagram %}').nodes);
    expect(late?.problem).toContain('not drawn within');
    await backgroundEnded(world.core);
    const { items } = await world.as('admin').call(listEvents, { params: { integrationName: 'bot' } });
    expect(items.find(({ payload }) => payload.type === 'ui_render')).toMatchObject({
      status: 'failed',
      delivery: { error: 'Nobody waited for the answer any longer.' },
    });
  });

  it.each([
    ['throws', 'throw new Error("on purpose")', /on purpose/],
    ['answers with text', 'return new Response("no JSON")', /^The answer of the script is not JSON/],
    [
      'answers with nonsense',
      'return Response.json({ type: "element", element: [1] })',
      /^The element in the answer of the script is neither/,
    ],
    ['ends', 'return Response.json({ type: "complete" })', /^The script returned nothing/],
  ])('become placeholders when the script %s', async (_what, code, problem) => {
    await publish(world, 'bot', { blocks, script: scriptOf('v2', code), runtime: 'v2' });
    await install(world);
    const [tag, code2] = await drawn(text);
    expect(tag![1]).toMatch(problem);
    // The code block itself stays readable.
    expect(code2![0]).toContain('from the code');
  });

  it('become placeholders when scripts are turned off', async () => {
    Object.assign(world.core, { scripts: undefined });
    await publish(world, 'bot', { blocks });
    await install(world);
    expect((await drawn(text))[0]![1]).toBe('Scripts of integrations are turned off.');
  });

  it('are rendered only where the integration is installed', async () => {
    await publish(world, 'bot', { blocks, script: samples.v2, runtime: 'v2' });
    const { id } = await install(world);
    const params = { integrationName: 'bot', installationId: id };
    await world.as('admin').call(updateInstallation, { params, body: { space_selection: 'selected' } });
    expect((await drawn(text))[0]![1]).toMatch(/is not installed/);
    await world.as('admin').call(installOnSpace, { params, body: { space: desk.spaceId } });
    expect((await drawn(text))[0]![1]).toBeUndefined();
  });
});

const sampleRun: ScriptRun = {
  integration: 'bot',
  version: '1',
  form: 'v2',
  script: async () => samples.v2,
  message: { event: { type: 'task', eventId: 'evt_1' }, environment: {} },
};

/** Creates a renderer like the server does, with a runtime of the test. */
function rendererWith(run: ScriptRuntime['run'], limits = pageLimits, signal?: AbortSignal): BlockRenderer {
  const scripts = { run, close: async () => {} };
  const user = { id: 'usr_edit', email: '', displayName: '', createdAt: '' };
  const caller = { user, owner: false, operator: false, organization: null, maxRole: null };
  const space = { id: desk.spaceId, organization: world.org };
  return new BlockRenderer(
    servicesOf({ ...world.core, scripts }, signal),
    { space, caller, role: 'edit' },
    limits,
  );
}
const tags = (count: number) =>
  markdownToRead(
    Array.from({ length: count }, (_, index) => `{% @bot/diagram content="${index}" %}`).join('\n\n'),
  ).nodes;

describe('the block renderer', () => {
  beforeEach(async () => {
    await publish(world, 'bot', { blocks, script: samples.v2, runtime: 'v2' });
    await install(world);
  });

  it('stops at its deadline, even if the scripts never end', async () => {
    const renderer = rendererWith(() => new Promise(() => {}), { ...pageLimits, time: 1 });
    const results = await renderer.render(tags(9));
    expect(results.map(({ problem }) => problem)).toEqual(
      Array(9).fill('The block was not drawn within 0.001 seconds.'),
    );
  });

  it('limits the number of parallel scripts and of blocks', async () => {
    let running = 0;
    let most = 0;
    const renderer = rendererWith(
      async () => {
        most = Math.max(most, ++running);
        await new Promise(setImmediate);
        running--;
        const element = { type: 'block', children: ['x'] };
        const body = Buffer.from(JSON.stringify({ type: 'element', element }));
        return { answer: { status: 200, headers: [], body }, logs: [] };
      },
      { ...pageLimits, parallel: 3, blocks: 10 },
    );
    const results = await renderer.render(tags(12));
    expect(most).toBe(3);
    expect(results.filter(({ problem }) => problem === undefined)).toHaveLength(10);
    expect(results.at(-1)?.problem).toBe('The page has more than 10 blocks of integrations.');
  });

  it('stops if the caller aborts', async () => {
    const stop = new AbortController();
    const renderer = rendererWith(
      ({ signal }) => {
        stop.abort();
        return runtime.run({ ...sampleRun, signal });
      },
      pageLimits,
      stop.signal,
    );
    await expect(renderer.render(tags(1))).rejects.toMatchObject({ reason: 'interrupted' });
  });
});

it('the PDF of a space contains its rendered blocks', async () => {
  await publish(world, 'bot', { blocks, script: samples.v2, runtime: 'v2' });
  await install(world);
  await desk.publish(page('Page', { document: { markdown: text } }));
  const book = await world.core.store.read(async (tx) => {
    const space = (await tx.get(spaces, desk.spaceId))!;
    const { places, ...rest } = await readBook({ tx, url: (path) => path, space }, {});
    return { ...rest, pages: places.filter((place): place is BookPage => 'path' in place) };
  });
  const user = { id: 'usr_read', email: '', displayName: '', createdAt: '' };
  const caller = { user, owner: false, operator: false, organization: null, maxRole: null };
  const space = { id: desk.spaceId, organization: world.org };
  const draw = blockDrawer(servicesOf(world.core), { space, caller, role: 'read' });
  const pages = book.pages.map((one) => ({
    ...one,
    document: one.document && (async () => draw((await one.document!())!)),
  }));
  const { bytes } = await renderPdf({ ...book, pages }, { compress: false });
  const [drawnPage] = readPdf(bytes).pages;
  expect(drawnPage).toContain('from the tag in document, 0');
  expect(drawnPage).toContain('from the code in document, 0');
  expect(drawnPage).toContain('stays()');
  const before = runs.length;
  const { bytes: downloaded } = await world
    .as('read')
    .call(downloadSpacePdf, { params: { spaceId: desk.spaceId }, query: {} });
  expect(runs.length - before).toBe(2);
  expect(readFacts(downloaded)?.pages).toBe(1);
});
