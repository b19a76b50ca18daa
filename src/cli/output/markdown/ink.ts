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
export type Ink = (text: string, styles: readonly Style[]) => string;

/** Colours and marks of a terminal, or the text as it is; chalk is loaded only for colour. */
export async function createInk(colour: boolean): Promise<Ink> {
  if (!colour) return (text) => text;
  const { Chalk } = await import('chalk');
  const chalk = new Chalk({ level: 1 });
  return (text, styles) =>
    styles.reduce(
      (painted, style) => (style === 'strike' ? chalk.strikethrough(painted) : chalk[style](painted)),
      text,
    );
}
