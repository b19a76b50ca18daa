import { afterEach, describe, expect, it } from 'vitest';
import { violationsOf } from '../../../src/contract/check.ts';
import { getTranslation, updateTranslation } from '../../../src/resources/translations/contract.ts';
import { markdownToDocument } from '../../../src/richtext/markdown.ts';
import { createWorld, type World } from '../../support/world.ts';
import { env, helpersOf, page, service } from './support.ts';

let world: World;
const { work, edit, newSpace, create, look, pagesOf, textsOf, params, run } = helpersOf(() => world);
afterEach(() => world.core.store.close());

/** Creates a translation and runs it. Returns its ID, its source and target spaces, and the pages. */
async function translated(...pages: readonly unknown[]) {
  world = await createWorld('memory:', { outgoing: service().outgoing, env });
  const space = await newSpace(pages);
  const { id } = await create(space);
  await work();
  return { id, space, target: (await look(id)).result!.space, pages: await pagesOf(space) };
}
const instruct = (id: string, text: string) =>
  world
    .as('admin')
    .call(updateTranslation, { params: params(id), body: { instructions: markdownToDocument(text) } });
const put = (id: string, markdown: string, more: object = {}) => ({
  operation: 'update_page',
  page: id,
  document: { markdown },
  ...more,
});

describe('manual edits, when the instructions change', () => {
  it('are kept, and the lines around them are translated again', async () => {
    const { id, target, pages } = await translated(
      page('A word', '* one word\n* two word\n* three word', { description: 'Of word' }),
      page('Two', 'A word.'),
    );
    const one = pages[0]!.id;
    await edit(target, [put(one, '* fr(one word)\n* MA PHRASE\n* fr(three word)', { title: 'Un' })]);
    await instruct(id, '* word: mot');
    await work();
    expect(await textsOf(target)).toEqual([
      ['Un', '* fr(one mot)\n* MA PHRASE\n* fr(three mot)'],
      ['fr(Two)', 'fr(A mot.)'],
    ]);
    expect((await pagesOf(target))[0]).toMatchObject({ description: 'fr(Of mot)' });
    const done = await look(id);
    expect(done.stats).toMatchObject({ latestEditsKept: 2, latestEditsReplaced: 0 });
    expect(violationsOf(getTranslation.returns.schema, done, '')).toEqual([]);
    // They are still treated as edits by the next change of instructions.
    await instruct(id, '* word: parole');
    await work();
    expect((await textsOf(target))[0]).toEqual(['Un', '* fr(one parole)\n* MA PHRASE\n* fr(three parole)']);
  });

  it('are replaced where the source changes the same line, and counted', async () => {
    const { id, space, target, pages } = await translated(
      page('One', 'First word.\n\nSecond word.\n\nThird word.'),
    );
    const one = pages[0]!.id;
    await edit(target, [put(one, 'Premier.\n\nfr(Second word.)\n\nTroisième.')]);
    await edit(space, [put(one, 'First word.\n\nSecond word.\n\nOther word.')]);
    await instruct(id, '* word: mot');
    await work();
    expect((await textsOf(target))[0]![1]).toBe('Premier.\n\nfr(Second mot.)\n\nfr(Other mot.)');
    expect((await look(id)).stats).toMatchObject({ latestEditsKept: 1, latestEditsReplaced: 1 });
    await run(id);
    await work();
    expect((await look(id)).stats).toMatchObject({ latestEditsKept: 0, latestEditsReplaced: 0 });
  });

  it('keep a page deleted that was deleted from the target', async () => {
    const { id, target, pages } = await translated(page('One', 'First word.'), page('Two', 'Second word.'));
    await edit(target, [{ operation: 'delete_page', page: pages[1]!.id }]);
    await instruct(id, '* word: mot');
    await work();
    expect(await textsOf(target)).toEqual([['fr(One)', 'fr(First mot.)']]);
    expect((await look(id)).stats).toMatchObject({ latestEditsKept: 1 });
  });
});

it('manual edits are kept if the source changes only neighboring lines', async () => {
  const { id, space, target, pages } = await translated(
    page('One', '* first\n* second\n* third', { description: 'Old' }),
  );
  const one = pages[0]!.id;
  await edit(target, [put(one, '* fr(first)\n* deux\n* fr(third)', { description: 'Vieux' })]);
  await edit(space, [put(one, '* first\n* second\n* other', { title: 'New' })]);
  await work();
  expect((await textsOf(target))[0]).toEqual(['fr(New)', '* fr(first)\n* deux\n* fr(other)']);
  expect((await pagesOf(target))[0]).toMatchObject({ description: 'Vieux' });
  await edit(space, [put(one, '* first\n* second\n* other', { description: 'Newer' })]);
  await work();
  expect((await pagesOf(target))[0]).toMatchObject({ description: 'fr(Newer)' });
  expect((await look(id)).stats).toMatchObject({ latestEditsReplaced: 1 });
});

describe('the front matter of a translation', () => {
  const text = (description: string, body: string) => `---\ndescription: ${description}\n---\n\n${body}\n`;

  it('is translated like the fields of its page', async () => {
    const { target } = await translated(page('One', text('How to start', 'First.')));
    expect((await pagesOf(target))[0]).toMatchObject({
      description: 'fr(How to start)',
      frontMatter: '---\ndescription: fr(How to start)\n---\n',
    });
  });

  it('keeps manual edits', async () => {
    const { id, target, pages } = await translated(page('One', text('How to word', 'First word.')));
    await edit(target, [put(pages[0]!.id, text('Comment', 'fr(First word.)'))]);
    await instruct(id, '* word: mot');
    await work();
    expect((await pagesOf(target))[0]).toMatchObject({
      description: 'Comment',
      frontMatter: '---\ndescription: Comment\n---\n',
      markdown: '\nfr(First mot.)\n',
    });
  });
});

it('titles of code blocks are translated, except file names', async () => {
  const code = (title: string) => `{% code title="${title}" %}\n\`\`\`sh\nnpm i\n\`\`\`\n{% endcode %}`;
  const { target } = await translated(
    page('One', [code('Run this'), code('src/index.ts'), code('.env')].join('\n\n')),
  );
  expect((await textsOf(target))[0]![1]).toBe(
    [code('fr(Run this)'), code('src/index.ts'), code('.env')].join('\n\n'),
  );
});

it('a glossary that became one paragraph is refused, with a hint at the right syntax', async () => {
  world = await createWorld('memory:', { env: { DOCSCTL_TRANSLATION: 'pseudo' } });
  const space = await newSpace([page('One', 'Activity.')]);
  const instructions = markdownToDocument('activity: activité\nworkflow: flux');
  await expect(create(space, { instructions })).rejects.toMatchObject({
    reason: 'invalid-input',
    message:
      'The instructions seem to have several terms of a glossary in one paragraph: "activity: activité workflow: flux".',
    hint: expect.stringContaining('"- term: translation"'),
  });
});

it('a contradictory glossary is refused, with both lines in the message', async () => {
  world = await createWorld('memory:', { env: { DOCSCTL_TRANSLATION: 'pseudo' } });
  const space = await newSpace([page('One', 'Activity.')]);
  const instructions = markdownToDocument('Do not translate: Activity\n\n* activity → activité');
  const refusal = {
    reason: 'invalid-input',
    message:
      'The glossary has two entries for "activity": "Do not translate: Activity" and "activity → activité".',
  };
  await expect(create(space, { instructions })).rejects.toMatchObject(refusal);
  const { id } = await create(space);
  await expect(
    world.as('admin').call(updateTranslation, { params: params(id), body: { instructions } }),
  ).rejects.toMatchObject(refusal);
});
