import { Problem } from '../errors/problem.ts';

/** Stands for a handler that is not written yet; one test lists who uses it, and that list only shrinks. */
export const later = async (): Promise<never> => {
  throw new Problem('not-implemented', 'This operation is declared, but this version of docsctl cannot do it yet.', {
    hint: 'See CHANGELOG.md for what works; `docsctl commands -o json` marks what does not.',
  });
};
