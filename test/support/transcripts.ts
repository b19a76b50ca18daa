import { docsctl, splitWords, type CliOptions } from './cli.ts';

/** One step of a transcript: a command line, its output and its exit code. */
export interface Step {
  readonly line: string;
  readonly at: number;
  readonly expected: string;
  readonly exit: number;
}

/**
 * Reads a transcript: "$ docsctl …" lines, each followed by the expected standard output. "[exit 5]" after the expected
 * lines is the exit code, "! text" a line of standard error. IDs and times are numbered in order of appearance: <spc-1>,
 * <time>. "# …" lines are comments.
 */
export function readTranscript(text: string): Step[] {
  const steps: { line: string; at: number; expected: string[]; exit: number }[] = [];
  text.split('\n').forEach((line, index) => {
    if (line.startsWith('# ')) return;
    if (line.startsWith('$ ')) steps.push({ line: line.slice(2), at: index + 1, expected: [], exit: 0 });
    else if (/^\[exit \d+\]$/.test(line)) steps.at(-1)!.exit = Number(line.slice(6, -1));
    else steps.at(-1)?.expected.push(line);
  });
  return steps.map((step) => ({ ...step, expected: step.expected.join('\n').trim() }));
}

/** Runs a step and returns its output in the form of a transcript. `names` keeps IDs across steps. */
export async function runStep(
  step: Step,
  options: CliOptions,
  names: Map<string, string>,
): Promise<{ output: string; exit: number }> {
  const back = new Map([...names].map(([id, name]) => [name, id]));
  const line = step.line.replace(/<[a-z]+-\d+>/g, (name) => back.get(name) ?? name);
  const [program, ...argv] = splitWords(line);
  if (program !== 'docsctl') throw new Error(`line ${step.at}: transcripts run docsctl only`);
  const { exit, stdout, stderr } = await docsctl(argv, options);
  const errors =
    stderr.trim() === ''
      ? []
      : stderr
          .trim()
          .split('\n')
          .map((text) => `! ${text}`);
  return { output: normalize([stdout.trimEnd(), ...errors].join('\n').trim(), names), exit };
}

function normalize(text: string, names: Map<string, string>): string {
  return text
    .replace(/\b([a-z]{2,6})_[0-9A-HJKMNP-TV-Z]{26}\b/g, (id, prefix: string) => {
      const known =
        names.get(id) ??
        `<${prefix}-${[...names.values()].filter((name) => name.startsWith(`<${prefix}-`)).length + 1}>`;
      names.set(id, known);
      return known;
    })
    .replace(/\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(\.\d+)?| \d\d:\d\d)Z/g, '<time>')
    .replace(/\bdctl_[\w-]{38}\b/g, '<token>');
}
