import type { Command } from 'commander';
import type { Runtime } from './runtime.ts';
import { createSession, type Session } from './session.ts';
import type { GlobalFlags } from './settings.ts';

/** Runs the work of a command in a session of its flags, which is closed in any case. */
export async function runInSession(
  runtime: Runtime,
  command: Command,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const output = command.options.find(({ long }) => long === '--output');
  const offered = output?.argChoices;
  const session = createSession(runtime, command.optsWithGlobals<GlobalFlags>(), offered);
  try {
    await work(session);
  } finally {
    await session.close();
  }
}
