import { describe, expect, it } from 'vitest';
import { markdownToDocument } from '../../../src/richtext/markdown.ts';
import { linesOf } from '../bench.ts';
import { faultsIn } from '../read/folder.ts';
import { answersFor, benchWith, type Row } from './later-api.ts';

const empty = { object: 'document', data: { schemaVersion: 2 }, nodes: [] };
const text = (more: string, language = 'fr') =>
  `spaces: { guide: { title: Guide } }\ntranslations:\n  french: { source: { language: en, space: !ref space.guide }, language: ${language}${more} }`;

async function world() {
  const rows = new Map<string, Row>();
  return {
    rows,
    bench: await benchWith(
      answersFor('translations', 'translationId', rows, ({ body }) => ({
        id: `tra_${rows.size + 1}`,
        instructions: empty,
        ...body,
      })),
    ),
  };
}

describe('translations in a manifest', () => {
  it('are created after their source space, and the next plan is empty', async () => {
    const { bench, rows } = await world();
    await bench.bring(text(', instructions: "Say *tu*."'));
    const space = bench.lock!.resources['space.guide']!.id;
    expect([...rows.values()]).toEqual([
      {
        id: 'tra_1',
        source: { space, language: 'en' },
        language: 'fr',
        instructions: markdownToDocument('Say *tu*.'),
      },
    ]);
    expect(linesOf(await bench.plan())).toEqual([]);
  });

  it('are identified by their space and language, and their instructions can be changed or cleared', async () => {
    const { bench, rows } = await world();
    await bench.bring('spaces: { guide: { title: Guide } }');
    const source = { space: bench.lock!.resources['space.guide']!.id, language: 'en' };
    for (const language of ['de', 'fr'])
      rows.set(`tra_${language}`, {
        id: `tra_${language}`,
        source,
        language,
        instructions: markdownToDocument('Say *tu*.'),
      });
    bench.write(text(', instructions: "Say _tu_."'));
    expect(linesOf(await bench.plan())).toEqual(['adopt translation.french']);
    await bench.apply();
    bench.write(text(', instructions: null'));
    expect(linesOf(await bench.plan())).toEqual([
      'update translation.french instructions: "Say *tu*." ⇒ null',
    ]);
    await bench.apply();
    expect(rows.get('tra_fr')!['instructions']).toEqual(empty);
    rows.set('tra_fr', { ...rows.get('tra_fr'), instructions: markdownToDocument('By hand') });
    expect((await bench.plan()).steps[1]!.changes).toEqual([
      { field: 'instructions', before: 'By hand', after: null, moved: 'live' },
    ]);
    await bench.bring('spaces: { guide: { title: Guide } }\ntranslations: {}', { prune: true });
    expect([...rows.keys()]).toEqual(['tra_de']);
  });

  it('are reported as unsupported if their language changes', async () => {
    const { bench } = await world();
    await bench.bring(text(''));
    bench.write(text('', 'de'));
    expect(linesOf(await bench.plan())).toEqual([
      'unsupported translation.french (language) language: "fr" ⇒ "de"',
    ]);
  });

  it('report mistakes with their positions', async () => {
    const { bench } = await world();
    bench.write(text('', 'klingon'));
    expect((await faultsIn(bench.plan()))[0]).toMatch(/^org\.yaml:4:74: "klingon" is not one of: en, fr/);
    bench.write(text('', 'en'));
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:4:64: the target language is the same as the language of the source',
    ]);
    bench.write('translations: { french: { language: fr } }');
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:2:17: translation.french does not exist yet; to create it, set "source"',
    ]);
    bench.write('translations: { french: { source: { space: !ref team.x, language: en } } }');
    expect(await faultsIn(bench.plan())).toEqual([
      'org.yaml:2:44: !ref team.x is used where a space is required',
    ]);
  });
});
