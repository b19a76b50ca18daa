import type { PlanDocument } from '../../manifest/plan-document.ts';
import { shellWord } from '../suggestions.ts';

/** The options of a command line that say which manifest and state file it is for. */
interface Source {
  readonly file?: readonly string[];
  readonly state?: string;
}

/** A plan whose hints name the same manifest or state file as its own command line, so that they work when copied. */
export function withSourceInHints<T extends PlanDocument>(document: T, { file, state }: Source): T {
  const [path, second] = file ?? [];
  const option =
    state !== undefined
      ? ` --state ${shellWord(state)}`
      : path !== undefined && path !== '-' && second === undefined
        ? ` -f ${shellWord(path)}`
        : '';
  if (option === '') return document;
  const steps = document.steps.map((step) =>
    step.hint === undefined
      ? step
      : {
          ...step,
          hint: step.hint.replace(/[`](?:docsctl forget|docsctl adopt) [^`]+(?=`)/g, `$&${option}`),
        },
  );
  return { ...document, steps };
}
