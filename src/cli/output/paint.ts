import type { ChalkInstance } from 'chalk';

/** The few colours docsctl uses, by what they say. */
export interface Paint {
  title(text: string): string;
  faint(text: string): string;
  error(text: string): string;
  hint(text: string): string;
}

const same = (text: string) => text;
const none: Paint = { title: same, faint: same, error: same, hint: same };

/** Colours, or the text as it is; chalk is loaded only for colour. */
export async function createPaint(colour: boolean): Promise<Paint> {
  if (!colour) return none;
  const { Chalk } = await import('chalk');
  const chalk: ChalkInstance = new Chalk({ level: 1 });
  return { title: chalk.bold, faint: chalk.dim, error: chalk.red.bold, hint: chalk.cyan };
}
