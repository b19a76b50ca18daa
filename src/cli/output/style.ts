import type { ChalkInstance } from 'chalk';

/** What text looks like; several go together. */
export type Style =
  | 'bold'
  | 'dim'
  | 'italic'
  | 'underline'
  | 'strike'
  | 'inverse'
  | 'red'
  | 'green'
  | 'yellow'
  | 'blue'
  | 'magenta'
  | 'cyan';

/** Gives text its looks. */
export type Styler = (text: string, styles: readonly Style[]) => string;

/** Colors and marks of a terminal, or the text as it is; chalk is loaded only for color. */
export async function createStyler(color: boolean): Promise<Styler> {
  if (!color) return (text) => text;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return (text, styles) =>
    styles.reduce(
      (painted, style) => (style === 'strike' ? chalk.strikethrough(painted) : chalk[style](painted)),
      text,
    );
}

/** The few colors docsctl uses, by what they say. */
export interface Theme {
  title(text: string): string;
  faint(text: string): string;
  error(text: string): string;
  hint(text: string): string;
}

export const same = (text: string) => text;

export const none: Theme = { title: same, faint: same, error: same, hint: same };

/** Colors, or the text as it is; chalk is loaded only for color. */
export async function createTheme(color: boolean): Promise<Theme> {
  if (!color) return none;
  const { Chalk } = await import('chalk');
  const chalk: ChalkInstance = new Chalk({ level: 1 });
  return { title: chalk.bold, faint: chalk.dim, error: chalk.red.bold, hint: chalk.cyan };
}
