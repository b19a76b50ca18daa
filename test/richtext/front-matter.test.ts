import { describe, expect, it } from 'vitest';
import { maxFrontMatter, readPageText, replaceField, updateFields } from '../../src/richtext/front-matter.ts';

describe('front matter', () => {
  it('is separated from the body of a page without changing a byte', () => {
    const page =
      '\uFEFF---  \r\ntitle: Start\r\nif: visitor\r\nhidden: true\r\nnoIndex: "yes"\r\n---\r\n\r\nText';
    expect(readPageText(page)).toEqual({
      frontMatter: page.slice(0, page.indexOf('\r\n\r\nText') + 2),
      body: '\r\nText',
      metadata: { title: 'Start', condition: 'visitor', hidden: true },
    });
    expect(readPageText('---\n---\n')).toEqual({ frontMatter: '---\n---\n', body: '', metadata: {} });
    expect(readPageText('---\ntitle: 1\nicon: " "\n---')).toMatchObject({ body: '', metadata: {} });
  });

  it.each(['', 'text', '----\na: 1\n---\n', '--- a\n---\n', '---\na: 1\n', ' ---\n---\n'])(
    'is not found in %j',
    (text) => expect(readPageText(text)).toEqual({ frontMatter: '', body: text, metadata: {} }),
  );

  it.each([
    ['title', 'title', 255],
    ['description', 'description', 1000],
    ['icon', 'icon', 50],
    ['if', 'condition', 1024],
  ])('cuts the field %s to the maximum length of its column', (field, name, max) => {
    const read = (length: number) => readPageText(`---\n${field}: ${'a'.repeat(length)}\n---\n`).metadata;
    expect(read(max)).toEqual({ [name]: 'a'.repeat(max) });
    expect(read(max + 1)).toEqual({ [name]: 'a'.repeat(max) });
  });

  it('must end within its first 16,384 characters', () => {
    const page = (start: number) => `---\n#${'x'.repeat(start - 6)}\n---\n`;
    expect(page(maxFrontMatter).lastIndexOf('---')).toBe(maxFrontMatter);
    expect(readPageText(page(maxFrontMatter)).frontMatter).toBe(page(maxFrontMatter));
    expect(readPageText(page(maxFrontMatter + 1)).frontMatter).toBe('');
  });

  it.each([
    ['---\n- a\n---\n', 'The front matter must be a list of fields such as "title: Start".'],
    ['---\ntext\n---\n', 'The front matter must be a list of fields such as "title: Start".'],
    ['---\na: 1\na: 2\n---\n', 'The front matter, line 3, column 1: the key "a" is used twice.'],
    [
      '---\na: &x 1\nb: *x\n---\n',
      'The front matter uses YAML anchors and aliases, which are not supported.',
    ],
    ['---\n? [a]\n: b\n---\n', 'The front matter has a key that is not a plain word.'],
  ])('is treated as text if it is not valid: %j', (text, problem) =>
    expect(readPageText(text)).toEqual({ frontMatter: '', body: text, metadata: {}, problem }),
  );

  it('replaces unpaired surrogates, which escapes can produce', () => {
    const text = '---\ntitle: "\\uD83D\\uDE00 \\uD83D"\nvars: { "\\uD83D": "\\uDE00" }\n---\n';
    expect(readPageText(text)).toMatchObject({
      metadata: { title: '😀 \uFFFD' },
      settings: { variables: { '\uFFFD': '\uFFFD' } },
    });
  });

  it('gets a new value for an existing field', () => {
    expect(replaceField('---\na: 1 # one\nb: 2\n---\n', 'b', 'x: y')).toBe(
      '---\na: 1 # one\nb: "x: y"\n---\n',
    );
    expect(replaceField('---\na: |\n  1\n  2\nb: 2\n---\n', 'a', 'x')).toBe('---\na: x\nb: 2\n---\n');
    expect(replaceField('---\na: 1\na: 2\n---\n', 'a', 'x')).toBe('---\na: 1\na: x\n---\n');
    expect(replaceField('---\na: 1\n---\n', 'a', 'x\ny')).toBe('---\na: "x\\ny"\n---\n');
    expect(replaceField('---\nb: 1\na: \n---\n', 'a', 'x')).toBe('---\nb: 1\na: x\n---\n');
    for (const text of ['---\nb: 1\n---\n', '---\na: [1]\n---\n', '---\n- a\n---\n'])
      expect(replaceField(text, 'a', 'x')).toBe(text);
  });

  it('is updated to the current fields of a page, and adds no fields', () => {
    const text = '\uFEFF---\r\ntitle: Old # why\r\nif: a\r\nhidden: false\r\nx: 1\r\n---\r\n';
    expect(updateFields(text, { title: 'Old', condition: 'a', icon: 'bolt' })).toBe(text);
    expect(updateFields(text, { title: 'New', hidden: true })).toBe(
      '\uFEFF---\r\ntitle: New # why\r\nhidden: true\r\nx: 1\r\n---\r\n',
    );
    expect(updateFields('---\nicon: bolt\n---\n', {})).toBe('');
  });

  it('may be TOML, as Hugo writes it, and becomes YAML when a field changes', () => {
    const lines = [
      '+++',
      'title = "Start \\"here\\"" # of all',
      "description = 'C:\\x'",
      'hidden = true',
      'date = 2020-01-02T03:04:05Z',
      'aliases = [',
      '"/a/",',
      ']',
      '[menu.main]',
      'weight = 10',
      '[[cascade]]',
      'type = "docs"',
      '+++',
      'Text',
    ];
    const read = readPageText(lines.join('\r\n'));
    expect(read).toEqual({
      frontMatter: lines.slice(0, -1).join('\r\n') + '\r\n',
      body: 'Text',
      metadata: { title: 'Start "here"', description: 'C:\\x', hidden: true },
    });
    const updated = updateFields(read.frontMatter, { ...read.metadata, title: 'New' });
    expect(updated).toContain('---\r\ntitle: "New" # of all\r\ndescription: \'C:\\x\'\r\n');
    expect(updated).toContain('"menu.main":\r\n  weight: 10\r\n#   [[cascade]]\r\n# type: "docs"\r\n---');
    expect(readPageText(updated).metadata).toEqual({ ...read.metadata, title: 'New' });
    expect(updateFields(read.frontMatter, read.metadata)).toBe(read.frontMatter);
    expect(replaceField('+++\na = "1"\n+++\n', 'a', 'x')).toBe('---\na: "x"\n---\n');
    expect(replaceField('+++\r\na = "1"\r\n+++\r\n', 'a', 'x')).toBe('---\r\na: "x"\r\n---\r\n');
  });

  it.each(['+++\ntitle = """a"""\n+++\n', '+++\nnothing\n+++\n'])(
    'is treated as text if it is TOML that is not understood: %j',
    (text) => expect(readPageText(text)).toMatchObject({ body: text, metadata: {} }),
  );

  it('is treated as text if its parser would need too many levels', () => {
    const text = `---\n{${'a: b\n'.repeat(3200)}}\n---\nText`;
    expect(readPageText(text)).toMatchObject({
      frontMatter: '',
      body: text,
      problem: expect.stringContaining('nested more than 64 levels deep'),
    });
  });
});
