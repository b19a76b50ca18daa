import { expect, it } from 'vitest';
import { drawJobs, jobsMarkdown, summarizeJobs } from '../../../src/cli/manifest/jobs-text.ts';
import type { PlannedFile, PlannedJob } from '../../../src/cli/manifest/planned-job.ts';

const file = (name: string, fresh: number, more: Partial<PlannedFile> = {}): PlannedFile => ({
  file: name,
  state: fresh === 0 ? 'unchanged' : 'new',
  bytes: fresh,
  new: fresh,
  ...more,
});
const job = (...files: PlannedFile[]): PlannedJob => ({ job: 'import', at: 'docsctl.yaml:3:3', files });

it.each<[string, PlannedJob[]]>([
  ['no files', [job()]],
  ['nothing new in 1 file', [job(file('a', 0))]],
  ['1 file cannot be read', [job({ ...file('a', 0), state: 'unreadable' })]],
  [
    'nothing new in 1 file; 1 file cannot be read',
    [job(file('a', 0), { ...file('b', 0), state: 'unreadable' })],
  ],
  ['nothing new in 2 files', [job(file('a', 0)), job(file('b', 0))]],
  ['5 bytes new in 1 file', [job(file('a', 5))]],
  ['12 bytes new in 2 files; 1 unchanged', [job(file('a', 5), file('b', 0)), job(file('c', 7))]],
  ['5 bytes new in 1 file; 2 unchanged', [job(file('a', 5), file('b', 0), file('c', 0))]],
])('summarizeJobs counts new data and files: %s', (text, jobs) => {
  expect(summarizeJobs(jobs)).toBe(text);
});

it('drawJobs lists files with new data under their job', () => {
  const plain = (text: string) => text;
  expect(drawJobs([], plain)).toBe('');
  expect(drawJobs([job(file('a', 0))], plain)).toBe('Imports: nothing new in 1 file.\n');
  const drawn = drawJobs([job(file('a\u001b', 5), file('b', 0)), job(file('c', 0))], plain);
  expect(drawn.split('\n').map((line) => line.slice(0, 8))).toEqual([
    '',
    '> import',
    '    + a\\',
    '',
    'Imports:',
    '',
  ]);
});

it('jobsMarkdown lists the first 100 files with new data, and the number of other files', () => {
  expect(jobsMarkdown([])).toBe('');
  expect(jobsMarkdown([job(file('a', 0))])).toBe('\n#### Imports\n\nnothing new in 1 file.\n');
  const many = (count: number) =>
    jobsMarkdown([job(...Array.from({ length: count }, (_, at) => file(`f${at}|x`, 2)))]);
  expect(many(1)).toContain('| import | `f0\\|x` | new | 2 bytes |\n');
  expect(many(100)).not.toContain('more file');
  expect(many(100).match(/^\| import \| `/gm)).toHaveLength(100);
  expect(many(102)).toContain('\n2 more files.\n');
  expect(many(102).match(/^\| import \| `/gm)).toHaveLength(100);
});
