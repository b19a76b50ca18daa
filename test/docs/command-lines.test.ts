import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { createParser } from '../support/whole-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const parse = await createParser();

/** Command lines of Markdown: those in code blocks, and those in backticks. */
function linesOfMarkdown(text: string): string[] {
  const blocks = [...text.matchAll(/^```(?:sh|console|bash)\n([^]*?)^```/gm)].flatMap(([, block = '']) =>
    block.replaceAll(/\\\n\s*/g, '').split('\n'),
  );
  const inline = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`(docsctl [^`]+)`/g)].map(
    ([, line = '']) => line,
  );
  return [...blocks.map((line) => line.replace(/^\$ /, '')), ...inline];
}

/** A placeholder for interpolated values. */
const filledIn = '1';

/** Command lines that a source mentions in backticks. */
function linesOfSource(text: string): string[] {
  return [...text.matchAll(/`(docsctl [^`]+?)\\?`/g)].map(([, line = '']) =>
    line.replaceAll(/\$\{[^}]*\}/g, filledIn),
  );
}

/** The docsctl commands in a line of a shell. */
function commandsIn(line: string): string[] {
  return line
    .replace(/\s+#\s.*$/, '')
    .split(/\s(?:&&|\|\|?|>>?|<)\s/)
    .map((part) =>
      part
        .trim()
        .replace(/^(?:[A-Z_]+=\S+ )+/, '')
        .replace(/[.,:;]$/, ''),
    )
    .filter(
      (part) =>
        part.startsWith('docsctl ') &&
        !/<command>|…|\.\.\.$|^docsctl (?:itself|greetings|titles|1)\b/.test(part),
    );
}

const files = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...['docs', 'src'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:md|ts)$/.test(name))
      .map((name) => join(folder, name)),
  ),
];
const mentions = files
  .map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const lines = file.endsWith('.ts') ? linesOfSource(text) : linesOfMarkdown(text);
    return [file, [...new Set(lines.flatMap(commandsIn))]] as const;
  })
  .filter(([, lines]) => lines.length > 0);

describe('command lines that texts mention', () => {
  it('are found in large numbers', () => {
    expect(mentions.flatMap(([, lines]) => lines).length).toBeGreaterThan(150);
  });

  it.each(mentions)('are valid: %s', async (_, lines) => {
    const faults: string[] = [];
    for (const line of lines) {
      if (/^docsctl (?:help|--help|--version)\b/.test(line)) continue;
      await parse(line).catch((error: Error) => {
        // A command may be mentioned without its arguments, and some of its words may be placeholders.
        if (!/outputHelp|help|missing|unknown command '(?:update-)?1'/.test(error.message))
          faults.push(`${line}: ${error.message}`);
      });
    }
    expect(faults).toEqual([]);
  });
});
