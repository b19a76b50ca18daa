import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { tables } from '../../src/resources/tables.ts';
import { storeVersion } from '../../src/stores/version.ts';

/** The types of the fields of a row. A name that ends in `?` is an optional field. */
type Shape = Readonly<Record<string, string>>;
interface Recorded {
  readonly version: number;
  readonly tables: Readonly<Record<string, Shape>>;
}

const src = fileURLToPath(new URL('../../src', import.meta.url));
const record = './row-shapes.json';

/** Reads the fields of the rows of every table from the declarations. */
function readShapes(): Recorded['tables'] {
  const shapes: Record<string, Shape> = {};
  for (const name of readdirSync(src, { recursive: true, encoding: 'utf8' }).sort()) {
    if (!/(?:^|\/)[a-z-]*rows\.ts$|^core\/rows\//.test(name)) continue;
    const text = readFileSync(join(src, name), 'utf8');
    const interfaces = new Map<string, Shape>();
    for (const node of parseSync(name, text).program.body) {
      const declared = node.type === 'ExportNamedDeclaration' ? node.declaration : node;
      if (declared?.type !== 'TSInterfaceDeclaration') continue;
      const fields: Record<string, string> = {};
      for (const base of declared.extends) fields['extends'] = text.slice(base.start, base.end);
      for (const member of declared.body.body)
        if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier')
          fields[`${member.key.name}${member.optional ? '?' : ''}`] = text
            .slice(member.typeAnnotation?.typeAnnotation.start, member.typeAnnotation?.typeAnnotation.end)
            .replace(/\/\*[^]*?\*\/|\/\/.*$/gm, '')
            .replace(/\s+/g, ' ');
      interfaces.set(declared.id.name, fields);
    }
    for (const [, row = '', table = ''] of text.matchAll(/table<(\w+)>\(\)\(\s*'(\w+)'/g))
      shapes[table] = interfaces.get(row) ?? {};
  }
  return Object.fromEntries(Object.entries(shapes).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The type of a field in stored JSON, which has no undefined values. */
function storedType(type: string | undefined): string | undefined {
  return type?.replace(/ \| undefined$/, '');
}

/** Lists the changes that an older docsctl would not understand. */
function incompatible(before: Recorded['tables'], now: Recorded['tables']): string[] {
  return Object.entries(before).flatMap(([table, fields]) => {
    const present = now[table];
    if (present === undefined) return [`${table} was removed`];
    const changed = Object.keys(fields).filter(
      (name) => storedType(present[name]) !== storedType(fields[name]),
    );
    const required = Object.keys(present).filter((name) => !name.endsWith('?') && !(name in fields));
    return [...new Set([...changed, ...required])].map((name) => `${table}.${name}`);
  });
}

test('requires a new store version if an older docsctl would misread rows', async () => {
  const now = readShapes();
  expect(Object.keys(now).length).toBeGreaterThan(40);
  expect(tables.filter(({ name }) => now[name] === undefined).map(({ name }) => name)).toEqual([]);
  const before = JSON.parse(readFileSync(new URL(record, import.meta.url), 'utf8')) as Recorded;
  if (before.version === storeVersion)
    expect(
      incompatible(before.tables, now),
      'Raise storeVersion in src/stores/version.ts, and run vitest -u.',
    ).toEqual([]);
  else
    await expect(`${JSON.stringify({ version: storeVersion, tables: now }, null, 2)}\n`).toMatchFileSnapshot(
      record,
    );
});

test('reports removed, changed and required fields as incompatible, but not optional ones', () => {
  const before = { a: { id: 'string', 'title?': 'string' } };
  expect(
    incompatible(before, { a: { id: 'string', 'title?': 'string', 'icon?': 'string' }, b: { id: 'string' } }),
  ).toEqual([]);
  expect(incompatible(before, {})).toEqual(['a was removed']);
  expect(incompatible(before, { a: { id: 'string' } })).toEqual(['a.title?']);
  expect(incompatible(before, { a: { id: 'number', 'title?': 'string', icon: 'string' } })).toEqual([
    'a.id',
    'a.icon',
  ]);
});
