import { plural } from '../../contract/values.ts';
import type { Style, Styler } from '../output/style.ts';
import { escapeControls } from '../output/escape-controls.ts';
import { codeSpan } from './markdown-report.ts';
import { filesWithNew, type FileState, type PlannedFile, type PlannedJob } from './planned-job.ts';
import { formatBytes } from './describe-step.ts';

const states: Readonly<Record<FileState, { sign: string; color: Style }>> = {
  new: { sign: '+', color: 'green' },
  more: { sign: '~', color: 'yellow' },
  changed: { sign: '~', color: 'yellow' },
  unchanged: { sign: ' ', color: 'dim' },
  unreadable: { sign: '!', color: 'magenta' },
};

/** Draws the jobs of a plan for a terminal or a log. */
export function drawJobs(jobs: readonly PlannedJob[], style: Styler): string {
  if (jobs.length === 0) return '';
  const blocks = jobs.map(({ job, at, files }) => {
    const shown = files.filter(({ state }) => state !== 'unchanged');
    if (shown.length === 0) return '';
    const lines = shown.map((file) => {
      const { sign, color } = states[file.state];
      return `    ${style(`${sign} ${escapeControls(describeFile(file))}`, [color])}\n`;
    });
    return `${style(`> ${job}`, ['bold'])}  ${style(escapeControls(at), ['dim'])}\n${lines.join('')}`;
  });
  const body = blocks.join('');
  return `${body === '' ? '' : `\n${body}\n`}Imports: ${summarizeJobs(jobs)}.\n`;
}

/** Counts the new data in the files of jobs: `3.4 MB new in 2 files; 1 unchanged`. */
export function summarizeJobs(jobs: readonly PlannedJob[]): string {
  const files = jobs.flatMap((job) => job.files);
  const withNew = jobs.flatMap(filesWithNew);
  const unreadable = files.filter(({ state }) => state === 'unreadable').length;
  const rest = files.length - withNew.length - unreadable;
  const parts: string[] = [];
  if (withNew.length > 0) {
    const bytes = withNew.reduce((sum, file) => sum + file.new, 0);
    parts.push(`${formatBytes(bytes)} new in ${plural(withNew.length, 'file')}`);
    if (rest > 0) parts.push(`${rest} unchanged`);
  } else if (rest > 0) parts.push(`nothing new in ${plural(rest, 'file')}`);
  if (unreadable > 0) parts.push(`${plural(unreadable, 'file')} cannot be read`);
  return parts.join('; ') || 'no files';
}

/** Writes the jobs of a plan for a comment on a pull request. */
export function jobsMarkdown(jobs: readonly PlannedJob[]): string {
  if (jobs.length === 0) return '';
  const rows = jobs.flatMap((planned) =>
    filesWithNew(planned).map(
      ({ file, state, new: bytes }) =>
        `| ${planned.job} | ${codeSpan(file).replaceAll('|', '\\|')} | ${state} | ${formatBytes(bytes)} |\n`,
    ),
  );
  const head = rows.length === 0 ? '' : '| import | file | | new |\n| --- | --- | --- | ---: |\n';
  const shown = rows.slice(0, 100);
  const more = rows.length > shown.length ? `\n${rows.length - shown.length} more files.\n` : '';
  const table = head === '' ? '' : `${head}${shown.join('')}${more}\n`;
  return `\n#### Imports\n\n${table}${summarizeJobs(jobs)}.\n`;
}

function describeFile({ file, state, bytes, new: fresh, reason }: PlannedFile): string {
  if (state === 'unreadable') return `${file}: ${reason ?? 'cannot be read'}`;
  if (state === 'more') return `${file}: ${formatBytes(fresh)} new of ${formatBytes(bytes)}`;
  return `${file}: ${formatBytes(bytes)}${state === 'changed' ? ', changed since it was ingested, so it is read from the start again' : ''}`;
}
