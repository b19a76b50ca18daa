import fc from 'fast-check';
import { escapeTemplate } from '../../../src/manifest/read/template.ts';
import { organizations, type Organization } from '../organizations.ts';

/** Titles that YAML, templates, terminals and file systems take for something else. */
const odd = [
  'It\'s "quoted"',
  'a: b',
  'a #b',
  '# no comment',
  '- dash',
  'two\nlines',
  'ends\n',
  'ends\n\n',
  '\nbegins',
  'crlf\r\nhere',
  ' padded ',
  'tab\there',
  '${env.HOME}',
  '$${x}',
  '${',
  '!ref space.guide',
  '*alias',
  '&anchor',
  '{ a: 1 }',
  '[x, y]',
  'x, y',
  'null',
  'true',
  'No',
  '007',
  '1e3',
  '0x1f',
  '1.10',
  '12:30',
  '2026-01-01',
  '.inf',
  '~~',
  '---',
  '...',
  '%TAG',
  '@at',
  '`tick',
  '|-',
  '>x',
  '<<',
  '__proto__',
  'constructor',
  '指南',
  '👩‍👩‍👧 Família',
  'Straße Øst',
  'x\u0001y',
  'nel\u0085',
  'sep\u2028x',
  'rtl\u202e',
  '\ufeffbom',
  'con',
  '../up',
  'a/b',
  'question? ',
  'line\n  indented\n\nmore',
  'trail \nx',
  '"',
  "'",
  '\\n',
  'AB',
  'ab',
  'a-b',
];
const anything = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...odd) },
  {
    weight: 1,
    arbitrary: fc
      .string({ unit: 'binary', minLength: 2, maxLength: 20 })
      .filter((text) => !text.includes('\0') && text.isWellFormed()),
  },
);

/** Longest first letters that any kind takes: a team and a space take fewer characters than the others. */
const title = anything.map((text) => (text.length < 2 ? `${text}__` : text));

/** Organizations whose titles are anything that the API takes. */
export const wildOrganizations: fc.Arbitrary<Organization> = fc
  .tuple(organizations, fc.array(title, { minLength: 1, maxLength: 8 }))
  .map(([organization, titles]) => {
    let next = 0;
    const renamed = (tree: unknown): unknown => {
      if (Array.isArray(tree)) return tree.map(renamed);
      if (typeof tree !== 'object' || tree === null || Object.getPrototypeOf(tree) !== Object.prototype)
        return tree;
      return Object.fromEntries(
        Object.entries(tree).map(([key, value]) => [
          key,
          key === 'title' && typeof value === 'string'
            ? escapeTemplate(titles[next++ % titles.length]!)
            : renamed(value),
        ]),
      );
    };
    return renamed(organization) as Organization;
  });
