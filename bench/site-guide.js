import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Writes pages in chapters of 20, and chapters in parts of 20, with headings, lists, code, a table and links to others.
 *
 * @param {string} folder
 * @param {number} pages
 */
export function writeGuide(folder, pages) {
  /** @param {number} number */
  const pathOf = (number) =>
    `chapter-${Math.floor(number / 20)}/${number % 20 === 0 ? 'README' : `page-${number}`}.md`;
  const summary = ['# Summary', '', '* [Home](README.md)'];
  writeFileSync(join(mkdirp(folder), 'README.md'), '# Home\n\nThe first page.\n');
  for (let number = 0; number < pages - 1; number++) {
    if (number % 400 === 0) summary.push('', `## Part ${number / 400}`, '');
    summary.push(`${number % 20 === 0 ? '' : '  '}* [Page ${number}](${pathOf(number)})`);
    const sections = Array.from({ length: 6 }, (_, part) => {
      const other = (number * 13 + part) % (pages - 1);
      const sentence = `Sentence ${number * 7 + part} says how **option ${part}** of \`command-${number % 97}\` works, and [page ${other}](../${pathOf(other)}#part-${(part + 1) % 6}) has more.`;
      return [
        `## Part ${part}`,
        Array.from({ length: 4 }, () => sentence).join(' '),
        `- The first of ${part}\n- The second, with *emphasis*\n- The third`,
        part % 2 === 0
          ? `\`\`\`js\nconst value${number} = compute(${part}); // a comment\nfor (const each of value${number}) print(each);\n\`\`\``
          : '| Name | Meaning |\n|---|---|\n| one | the first |\n| two | the second |',
      ].join('\n\n');
    });
    const file = join(folder, pathOf(number));
    mkdirp(dirname(file));
    writeFileSync(file, `# Page ${number}\n\n${sections.join('\n\n')}\n`);
  }
  writeFileSync(join(folder, 'SUMMARY.md'), `${summary.join('\n')}\n`);
}

/** @param {string} folder */
function mkdirp(folder) {
  mkdirSync(folder, { recursive: true });
  return folder;
}
