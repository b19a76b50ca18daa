import { describe, expect, it } from 'vitest';
import { withTypedWords, withTypedWordsInProblem } from '../../../src/cli/names/typed-words.ts';
import { Problem } from '../../../src/errors/problem.ts';

const id = 'spc_01M8GEYNMDNSE6K44MQ1R7FSCM';
const words = new Map([[id, 'Elsa Workflows']]);

describe('withTypedWords and withTypedWordsInProblem', () => {
  it('replace IDs in commands by the names that the user typed, quoted for a shell', () => {
    expect(withTypedWords(`Run \`docsctl spaces get ${id}\`.`, words)).toBe(
      "Run `docsctl spaces get 'Elsa Workflows'`.",
    );
    expect(withTypedWords(`Run:\n  docsctl pages list --space ${id}`, words)).toBe(
      "Run:\n  docsctl pages list --space 'Elsa Workflows'",
    );
  });

  it('do not change other texts and other IDs', () => {
    const text = `The space ${id} is kept. \`docsctl spaces get ${id.replace('01M', '01N')}\``;
    expect(withTypedWords(text, words)).toBe(text);
  });

  it('replace IDs in hints, and keep the other parts of the error', () => {
    const error = new Problem('conflict', 'It conflicts.', { hint: `\`--space ${id}\``, requestId: 'req_1' });
    expect(withTypedWordsInProblem(error, words)).toMatchObject({
      reason: 'conflict',
      message: 'It conflicts.',
      hint: "`--space 'Elsa Workflows'`",
      requestId: 'req_1',
    });
    expect(withTypedWordsInProblem(error, new Map())).toBe(error);
  });

  it('replace quoted IDs in messages of errors', () => {
    const other = id.replace('01M', '01N');
    const error = new Problem('not-found', `There is no space "${id}" beside "${other}" and ${id}.`, {
      violations: [{ path: '/body/space', message: `"${id}" is gone` }],
    });
    expect(withTypedWordsInProblem(error, words)).toMatchObject({
      message: `There is no space "Elsa Workflows" beside "${other}" and ${id}.`,
      violations: [{ path: '/body/space', message: '"Elsa Workflows" is gone' }],
    });
  });
});
