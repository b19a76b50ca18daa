/** @import { Outcome } from './types.d.ts' */

/**
 * Writes how a command ended in Markdown. A plan is Markdown already; any other output is a block of code.
 * @param {{ readonly words: readonly string[], readonly isPlan: boolean, readonly outcome: Outcome, readonly remarks: readonly string[], readonly footer: string }} run
 */
export function writeReport({ words, isPlan, outcome, remarks, footer }) {
  const { exitCode, stdout, stderr, log } = outcome;
  const hasPlan = isPlan && stdout.startsWith('#');
  const failed = exitCode !== 0 && !(isPlan && exitCode === 2);
  const title = hasPlan ? '' : `### docsctl ${codeSpan(words.join(' '))}\n`;
  const verdict = failed ? `\n**Failed** with exit code ${exitCode}.\n` : hasPlan ? '' : '\nDone.\n';
  const shown = hasPlan ? (failed ? stderr : '') : log;
  const block = shown.trim() === '' ? '' : foldCode(failed ? 'Errors' : 'Output', shown, failed);
  const notes = remarks.map((remark) => `\n> ${remark}\n`).join('');
  return `${hasPlan ? `${stdout.trimEnd()}\n` : title}${verdict}${notes}${block}${footer}`;
}

/**
 * Leaves out annotations, which are written as workflow commands and say what other lines say.
 * @param {string} log
 */
export function withoutAnnotations(log) {
  return log
    .split('\n')
    .filter((line) => !/^::(?:error|warning|notice)[ :]/.test(line))
    .join('\n');
}

/**
 * Writes text as a block of code that no line of it can end.
 * @param {string} title
 * @param {string} text
 * @param {boolean} isOpen
 */
function foldCode(title, text, isOpen) {
  const shown = stripControls(text).trimEnd();
  const fence = '`'.repeat(Math.max(3, longestTicks(shown) + 1));
  return `\n<details${isOpen ? ' open' : ''}><summary>${title}</summary>\n\n${fence}text\n${shown}\n${fence}\n\n</details>\n`;
}

/** @param {string} text */
export function codeSpan(text) {
  const shown = stripControls(text).replace(/\s+/g, ' ');
  const ticks = '`'.repeat(longestTicks(shown) + 1);
  return ticks === '`' ? `\`${shown}\`` : `${ticks} ${shown} ${ticks}`;
}

/** @param {string} text */
function longestTicks(text) {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** @param {string} text */
function stripControls(text) {
  return text.replace(/\u001b\[[\d;]*[A-Za-z]/g, '').replace(/[^\P{Cc}\n\t]|\p{Bidi_Control}/gu, '');
}

/**
 * Cuts Markdown at the end of a line, closes what is open there, and says that something is missing.
 * @param {string} markdown
 * @param {number} max characters of the result
 * @param {string} note
 */
export function cutMarkdown(markdown, max, note) {
  if (markdown.length <= max) return markdown;
  const kept = [];
  let length = note.length + 10;
  let fence = '';
  let open = 0;
  for (const line of markdown.split('\n')) {
    const next = readFence(line, fence);
    const opened = fence === '' ? open + countOf(line, '<details') - countOf(line, '</details>') : open;
    const closing = next.length + 2 + opened * 12;
    if (length + line.length + 1 + closing > max) break;
    kept.push(line);
    [fence, open] = [next, opened];
    length += line.length + 1;
  }
  const ends = [...(fence === '' ? [] : [fence]), ...Array.from({ length: open }, () => '\n</details>')];
  return `${[...kept, ...ends].join('\n')}\n\n${note}\n`;
}

/**
 * Keeps lines outside of code from being quick actions of GitLab, such as `/merge`.
 * @param {string} markdown
 */
export function disarmQuickActions(markdown) {
  let fence = '';
  return markdown
    .split('\n')
    .map((line) => {
      const wasCode = fence !== '';
      fence = readFence(line, fence);
      return wasCode ? line : line.replace(/^(\s*)\//, '$1\\/');
    })
    .join('\n');
}

/**
 * Returns the fence that is open after a line; empty outside of code.
 * @param {string} line
 * @param {string} open
 */
function readFence(line, open) {
  const [, ticks = '', info = ''] = /^ {0,3}(`{3,})([^`]*)$/.exec(line) ?? [];
  if (open === '') return ticks;
  return ticks.length >= open.length && info.trim() === '' ? '' : open;
}

/**
 * @param {string} text
 * @param {string} part
 */
function countOf(text, part) {
  return text.split(part).length - 1;
}
