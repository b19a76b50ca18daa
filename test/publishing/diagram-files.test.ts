import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readDiagramFiles } from '../../src/publishing/diagram-files.ts';

const mermaid = fileURLToPath(new URL('../samples/mermaid', import.meta.url));

describe('readDiagramFiles', () => {
  it('returns a sandboxed frame, and the scripts that it may load', () => {
    const files = readDiagramFiles((name) => (name === 'mermaid' ? mermaid : undefined));
    expect(files?.frame.headers).toEqual({
      'content-security-policy': expect.stringMatching(
        /default-src 'none'.*frame-ancestors 'self'; sandbox allow-scripts$/,
      ),
    });
    expect(files?.scripts.map(({ name }) => name.replace(/-[0-9a-f]{16}/, ''))).toEqual([
      'mermaid.js',
      'draw-diagrams.js',
    ]);
    for (const { name, headers } of files?.scripts ?? []) {
      expect(files?.frame.bytes.toString()).toContain(`<script src="${name}">`);
      expect(headers).toEqual({ 'cross-origin-resource-policy': 'cross-origin' });
    }
  });

  it('returns undefined if Mermaid is missing or has an unexpected form', () => {
    expect(readDiagramFiles(() => undefined)).toBeUndefined();
    expect(readDiagramFiles(() => mkdtempSync(join(tmpdir(), 'docsctl-mermaid-')))).toBeUndefined();
  });
});
