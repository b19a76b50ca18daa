import { parse } from 'acorn';
import { Problem } from '../errors/problem.ts';

/**
 * Checks the syntax of a script without running it. Syntax of ECMAScript that only one of the runtimes knows is accepted.
 *
 * @throws Problem(invalid-input) with the line and column of the first fault
 */
export function checkSyntax(script: string, form: 'v1' | 'v2', file: string): void {
  try {
    parse(script, { ecmaVersion: 'latest', sourceType: form === 'v2' ? 'module' : 'script' });
  } catch (error) {
    // Code that is nested too deep for the parser may be right.
    if (!(error instanceof SyntaxError) || error.message.startsWith('Not enough stack')) return;
    const { message, loc } = error as SyntaxError & { loc: { line: number; column: number } };
    const isModule = message.includes("'import' and 'export'");
    const reason = isModule ? 'import and export are only for modules' : message.replace(/ \(\d+:\d+\)$/, '');
    throw new Problem(
      'invalid-input',
      `${file}, line ${loc.line}, column ${loc.column + 1}: not valid JavaScript: ${reason.charAt(0).toLowerCase()}${reason.slice(1)}.`,
      {
        hint: isModule
          ? 'Publish a module with --runtime v2, or build the script without them, for example with `esbuild --bundle --format=iife`.'
          : 'Correct the script, and build it again.',
      },
    );
  }
}
