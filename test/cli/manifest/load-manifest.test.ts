import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

let desk: GuideStore;
beforeEach(async () => void (desk = await openGuideStore()));
afterEach(() => desk.discard());

const put = (path: string, text: string): void => {
  mkdirSync(dirname(desk.at(path)), { recursive: true });
  writeFileSync(desk.at(path), text);
};
const validate = () => desk.run(['validate']);

it.each([
  ['nosuch.yaml', 'nosuch.yaml does not exist.'],
  ['docsctl.yml', 'docsctl.yml does not exist; did you mean "docsctl.yaml"?'],
  ['empty', 'empty is a folder without *.yaml or *.yml files.'],
  ['x*.yaml', 'x*.yaml matches no file.'],
])('-f %s explains why there is no manifest, and what -f accepts', async (source, message) => {
  put('docsctl.yaml', 'version: 1\n');
  put('empty/notes.txt', '');
  const { exit, stderr } = await desk.run(['plan', '-f', source]);
  expect([exit, stderr]).toEqual([
    8,
    `error: ${message}\nhint: With -f, name a file, a folder with *.yaml files, a pattern, or - for standard input.\n`,
  ]);
});

it('validate reports content folders that cannot be used, with their position', async () => {
  put(
    'docsctl.yaml',
    'version: 1\nspaces:\n  a: { title: A, content: { dir: gone } }\n  b: { title: B, content: { dir: ../out } }\n',
  );
  const { exit, stderr } = await validate();
  expect([exit, stderr.split('\n').slice(0, 3)]).toEqual([
    8,
    [
      'error: The manifest has 2 errors.',
      '  docsctl.yaml:3:34: the folder "gone" does not exist beside this file',
      '  docsctl.yaml:4:34: "../out" is outside the folder of the manifest; move it into that folder',
    ],
  ]);
});

describe('files of an import in a manifest', () => {
  const manifest = (files: string) =>
    put('docsctl.yaml', `version: 1\nimports:\n  conversations:\n    - { files: ${files} }\n`);

  it('in a folder that does not exist are an error, with a similar folder', async () => {
    put('support/a.ndjson', '{}\n');
    manifest('suport/*.ndjson');
    const ran = await validate();
    expect(ran).toMatchObject({ exit: 8, stdout: '' });
    expect(ran.stderr).toContain(
      'docsctl.yaml:4:16: "suport/*.ndjson" matches no file, because the folder does not exist; did you mean "support"?\n',
    );
    manifest('[support/*, gone/deep/*.csv, support/a.ndjson/*]');
    const both = await validate();
    expect(both.exit).toBe(8);
    expect(both.stderr).toContain(
      'docsctl.yaml:4:28: "gone/deep/*.csv" matches no file, because the folder does not exist',
    );
    expect(both.stderr).toContain(
      'docsctl.yaml:4:45: "support/a.ndjson/*" matches no file, because the folder does not exist',
    );
  });

  it('that do not exist yet are a warning, with their position', async () => {
    put('support/a.ndjson', '{}\n');
    manifest('[support/*.ndjsn, support/*.ndjson]');
    for (const [word, end] of [
      ['validate', ' (empty-import)'],
      ['plan', '.'],
    ] as const)
      expect(await desk.run([word])).toMatchObject({
        exit: 0,
        stderr: expect.stringContaining(
          `warning: docsctl.yaml:4:17: "support/*.ndjsn" matches no file${end}\n`,
        ),
      });
    manifest('support/*.ndjson');
    expect(await validate()).toMatchObject({ exit: 0, stderr: '' });
  });
});

describe('mistakes in a manifest', () => {
  it('are reported by validate, each with its position', async () => {
    put(
      'docsctl.yaml',
      `version: 1
collections: { product: { title: Product } }
spaces: { guide: { parent: collection.product } }
saml: { okta: { label: Okta, certificate: hello } }
sites:
  docs:
    adaptive: { enabled: true, jsonSchema: { type: object, properties: { plan: { type: string, description: Plan } }, additionalProperties: false } }
    sections:
      - { path: a, space: !ref space.guide, default: true, condition: visitor.claims.plan = "pro" }
      - { path: b, space: !ref space.guide, default: true, condition: visitor.claims.beta }
`,
    );
    const { exit, stderr } = await validate();
    expect(exit).toBe(8);
    for (const fault of [
      'docsctl.yaml:3:28: "collection.product" is plain text here; did you mean !ref collection.product?',
      'docsctl.yaml:4:43: is not an X.509 certificate',
      'docsctl.yaml:9:71: the condition is not valid: column 21: a condition cannot assign; compare with "=="',
      'docsctl.yaml:10:71: the condition does not fit the adaptive schema of the site: column 16: there is no claim "beta" in visitor.claims',
      'docsctl.yaml:10:54: section.docs/b has "default: true", and so has section.docs/a at docsctl.yaml:9:54',
    ])
      expect(stderr).toContain(fault);
  });
});

describe('the syntax of manifests', () => {
  it.each([['validate'], ['schema', 'manifest']])('is explained by the help of %s %s', async (...words) => {
    const { stdout } = await desk.done([...words.filter((word) => word !== undefined), '--help']);
    for (const word of [
      '!ref',
      '!lookup',
      '!file',
      '${var.',
      '${env.',
      'ref:',
      'id:',
      'protect:',
      'unlisted:',
    ])
      expect(stdout).toContain(
        `  ${word}`.replace('  unlisted', 'content: { unlisted').replace('  ${env', '${env'),
      );
  });

  it('has descriptions in its JSON Schema, from the API and for its own fields', async () => {
    const { stdout } = await desk.done(['schema', 'manifest', '-o', 'json']);
    for (const description of [
      'signing certificate of the identity provider, as PEM or base64',
      'collection that contains the space; null: none',
      'name by which !ref finds the block (default: the value of its path field)',
      'ID of the existing resource that the block stands for',
      'true: never delete this resource, even with --prune',
    ])
      expect(stdout).toContain(`"description": "${description}`);
  });
});
