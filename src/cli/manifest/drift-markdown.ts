import type { Drift } from '../../manifest/find-drift.ts';
import { driftHead, driftSummary, fieldsOf, remarksOn, shownDrift } from './drift-text.ts';
import { code, diffOf, escaped, folded, mostOfComment } from './markdown-parts.ts';

/** Drift as a comment on an issue or a pull request. */
export function driftMarkdown(drift: Drift): string {
  const { organization, place } = drift;
  const summary = driftSummary(drift)
    .replace(/^Drift: /, '')
    .replace(/^./, (letter) => letter.toUpperCase());
  const head = `### docsctl drift\n\n${summary}\n\nOrganization ${code(organization)} on ${code(place)}.\n`;
  const foot = remarksOn(drift)
    .map((remark) => `\n${escaped(remark)}\n`)
    .join('');
  let room = mostOfComment - head.length - foot.length;
  let omitted = 0;
  const blocksOf = (status: 'gone' | 'changed'): string[] =>
    shownDrift(drift).flatMap((one) => {
      if (one.status !== status) return [];
      const block = `${status === 'gone' ? '-' : '!'} ${driftHead(one, drift)}\n${fieldsOf(one)
        .map((change) => diffOf(change, ''))
        .join('')}`;
      room -= block.length;
      if (room > 0) return [block];
      omitted++;
      return [];
    });
  const [gone, changed] = [blocksOf('gone'), blocksOf('changed')];
  const text = `${gone.length === 0 ? '' : folded('Gone', gone, true)}${changed.length === 0 ? '' : folded('Changed', changed, true)}`;
  return `${head}${text}${omitted === 0 ? '' : `\n${omitted} more ${omitted === 1 ? 'resource is' : 'resources are'} not shown here; \`docsctl drift\` shows all.\n`}${foot}`;
}
