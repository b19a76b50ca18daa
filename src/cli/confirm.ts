import { Problem } from '../errors/problem.ts';
import type { Session } from './session.ts';

export interface Confirmation {
  readonly verb: string;
  readonly noun: string;
  readonly names: readonly string[];
}

/** Asks before something is destroyed; without a terminal it needs --yes, and nothing ever waits. */
export async function confirm(session: Session, { verb, noun, names }: Confirmation): Promise<void> {
  if (session.flags.yes === true) return;
  const { terminal } = session;
  const first = names.slice(0, 5).join(', ') + (names.length > 5 ? `, … (${names.length})` : '');
  if (!terminal.stdinIsTTY || !terminal.stderrIsTTY) {
    throw new Problem('guard-refused', `${noun} ${verb} ${first} needs --yes when nobody can be asked.`, {
      hint: 'Add --yes if you mean it.',
    });
  }
  const { ask } = await import('./prompts.ts');
  const api = await session.api();
  const org = session.settings.org === undefined ? '' : `, organization ${session.settings.org.value}`;
  if (
    !(await ask(
      session,
      `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${first} (${names.length === 1 ? singular(noun) : noun}) on ${api.place}${org}?`,
    ))
  )
    throw new Problem('guard-refused', 'Not done.');
}

/** One of what a noun stands for: `sites share-links` → `share link`. */
export function singular(noun: string): string {
  const last = noun.split(' ').at(-1)!.replaceAll('-', ' ');
  return last.endsWith('ies') ? `${last.slice(0, -3)}y` : last.replace(/([^s])s$/, '$1');
}
