/** Colors and styles of text. They can be combined. */
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

export type Styler = (text: string, styles: readonly Style[]) => string;

/** Creates a styler for a terminal, or one that changes nothing. chalk is loaded only for color. */
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

/** The styles of tables and messages, by their meaning. */
export interface Theme {
  title(text: string): string;
  faint(text: string): string;
  error(text: string): string;
  hint(text: string): string;
}

/** Creates the styles of messages. Without `color` they change nothing. */
export async function createTheme(color: boolean): Promise<Theme> {
  const style = await createStyler(color);
  return {
    title: (text) => style(text, ['bold']),
    faint: (text) => style(text, ['dim']),
    error: (text) => style(text, ['bold', 'red']),
    hint: (text) => style(text, ['cyan']),
  };
}
