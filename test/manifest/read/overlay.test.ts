import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readManifest } from '../../../src/manifest/read/read-manifest.ts';
import { toJson } from '../../../src/manifest/read/json.ts';
import { faultsIn } from './folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'docsctl-overlay-'));
  put(
    'docsctl.yaml',
    'spaces: { a: { title: A, emoji: x, content: { dir: a } }, b: { title: B } }\nvars: { env: test }\n',
  );
  put(
    'docsctl.production.yaml',
    'overlay: true\nspaces: { a: { title: "A ${var.env}", emoji: null }, b: null, c: { title: C } }\nvars: { env: live }\n',
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const put = (name: string, text: string): void => writeFileSync(join(folder, name), `version: 1\n${text}`);
const read = async (...sources: string[]) => {
  const request = { sources, cwd: folder, env: {}, vars: {}, readStdin: async () => '' };
  return toJson((await readManifest(request)).root);
};

describe('an overlay', () => {
  it('changes fields, adds and removes blocks, and keeps the rest, whatever the order of the files', async () => {
    const expected = {
      spaces: { a: { title: 'A live', emoji: null, content: { dir: 'a' } }, c: { title: 'C' } },
    };
    expect(await read('docsctl.yaml', 'docsctl.production.yaml')).toEqual(expected);
    expect(await read('docsctl.production.yaml', 'docsctl.yaml')).toEqual(expected);
    expect(await read('.', 'docsctl.production.yaml')).toEqual(expected);
  });

  it('is not read as part of its folder', async () => {
    expect(await read('.')).toEqual(await read('docsctl.yaml'));
  });

  it('is not ignored if its folder or pattern has nothing else', async () => {
    const fault =
      'only overlays, and overlays are read only if -f names them, such as -f docsctl.production.yaml';
    expect(await faultsIn(read('docsctl.yaml', 'docsctl.p*.yaml'))).toEqual([
      `docsctl.p*.yaml: finds ${fault}`,
    ]);
    expect(await read('docsctl.yaml', 'docsctl.p*.yaml', 'docsctl.production.yaml')).toEqual(
      await read('docsctl.yaml', 'docsctl.production.yaml'),
    );
    rmSync(join(folder, 'docsctl.yaml'));
    expect(await faultsIn(read('.'))).toEqual([`.: finds ${fault}`]);
  });

  it('removes only existing blocks, and can set a variable to null', async () => {
    put('docsctl.production.yaml', 'overlay: true\nspaces: { b: null }\nvars: { other: null }\n');
    expect(await read('docsctl.yaml', 'docsctl.production.yaml')).toEqual({
      spaces: { a: { title: 'A', emoji: 'x', content: { dir: 'a' } } },
    });
    put('docsctl.production.yaml', 'overlay: true\nspaces: { bb: null }\nsites: { c: null }\n');
    expect(await faultsIn(read('docsctl.yaml', 'docsctl.production.yaml'))).toEqual([
      'docsctl.production.yaml:3:11: the manifest has no "spaces.bb" to remove; did you mean "b"?',
      'docsctl.production.yaml:4:10: the manifest has no "sites.c" to remove',
    ]);
  });

  it('needs a manifest, and a boolean value of "overlay"', async () => {
    expect(await faultsIn(read('docsctl.production.yaml'))).toEqual([
      'docsctl.production.yaml: an overlay changes a manifest; also name that manifest with -f',
    ]);
    put('docsctl.production.yaml', 'overlay: maybe\n');
    expect(await faultsIn(read('docsctl.production.yaml'))).toEqual([
      'docsctl.production.yaml:2:10: "overlay" must be true or false',
    ]);
  });
});
