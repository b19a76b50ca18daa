import type { Command } from 'commander';
import { isBareInterruption } from '../../contract/event-loop.ts';
import type { Exchange } from '../../contract/exchange.ts';
import { plural } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { givenTwice } from '../input/given-twice.ts';
import { collectChanges, type Changes } from './changes.ts';
import { wordsOf } from '../command-words.ts';
import { isGlobal } from '../settings/global-options.ts';
import { describeInnerCall } from './inner-calls.ts';
import { ExitCode, helpOf } from '../composite-command.ts';
import { withValues, type Runtime } from '../runtime.ts';
import { createSession, explainError, wantsDocument, type Session } from './session.ts';
import { withTypedWordsInProblem } from '../names/typed-words.ts';
import type { GlobalFlags } from '../settings/settings.ts';

/** Runs the work of a command in a session with its flags. The session is always closed. */
export async function runInSession(
  runtime: Runtime,
  command: Command,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const flags = command.optsWithGlobals<GlobalFlags>();
  refuseEmptyValues(command);
  refuseTwice(command);
  refuseDryRun(command, flags);
  const output = command.options.find(({ long }) => long === '--output');
  const offered = output?.argChoices;
  const runOnce = async (
    used: Runtime,
    own: GlobalFlags,
    onExchange?: (exchange: Exchange) => void,
  ): Promise<{ isDocument: boolean }> => {
    const changes = collectChanges();
    const mayLackProfile = /^(?:login|profiles .*)$/.test(wordsOf(command));
    const session = createSession(used, own, {
      offered,
      onExchange,
      onChange: changes.add,
      mayLackProfile,
    });
    for (const warning of own.former ?? []) session.note(`warning: ${warning}`);
    try {
      await work(session);
      return { isDocument: wantsDocument(session) };
    } catch (error) {
      if (isBareInterruption(error)) throw describeInterruption(changes.all());
      if (error instanceof ExitCode) throw error;
      throw withTypedWordsInProblem(
        await describeInnerCall(await explainError(session, error), wordsOf(command)),
        session.typedWords,
      );
    } finally {
      await session.close();
      await saveHistory(used, command, changes.all());
    }
  };
  const runWith = (used: Runtime) =>
    observing(used, flags, async (onExchange) => {
      if (flags.watch !== true) {
        if (flags.interval !== undefined)
          (await import('../input/given-twice.ts')).refuseWithout(['watch', undefined], {
            interval: flags.interval,
          });
        await runOnce(used, flags, onExchange);
        return;
      }
      const { checkWatch, watch } = await import('./watch.ts');
      checkWatch(command);
      return watch(used, flags.interval, (round) => runOnce(round, { ...flags, pager: false }, onExchange));
    });
  if (flags.timeout === undefined) return runWith(runtime);
  const { readSeconds, withTimeout } = await import('../input/timeout.ts');
  const seconds = readSeconds(flags.timeout, '--timeout', { min: 'positive' });
  await withTimeout(seconds, runtime.signal, (signal) => runWith(withValues(runtime, { signal })));
}

/**
 * Refuses an empty path, name or ID. A script passes one if its variable is not set, and an empty path would mean the working
 * folder. Texts may be empty.
 * @throws Problem(usage)
 */
function refuseEmptyValues(command: Command): void {
  const { options, registeredArguments, args } = command;
  const isNeeded = (placeholder: string) =>
    /^(?!(?:emoji|json|markdown|name|number|query|text|titles?|url|value)$)[a-z-]+(?:\|url)?$/.test(
      placeholder,
    );
  const empty =
    options.find((option) => {
      const value: unknown = command.getOptionValue(option.attributeName());
      const [, placeholder = ''] = /[<[]([^.\]>]+)/.exec(option.flags) ?? [];
      return (
        isNeeded(placeholder) && !isGlobal(option) && (Array.isArray(value) ? value : [value]).includes('')
      );
    })?.long ??
    args.flatMap((arg, index) => {
      const name = (registeredArguments[index] ?? registeredArguments.at(-1))?.name() ?? '';
      return arg === '' && isNeeded(name) ? [name.toUpperCase()] : [];
    })[0];
  if (empty !== undefined)
    throw new Problem('usage', `${empty} is empty.`, {
      hint: 'Give a value. If it comes from a variable, check that the variable is set.',
    });
}

/**
 * Refuses an option that stands for an argument if all arguments are given as well, with another value: one of the two would be
 * ignored. A third argument is a text, which may lack quotes; such commands explain this themselves.
 *
 * @throws Problem(usage)
 */
function refuseTwice(command: Command): void {
  const { options, registeredArguments, args } = command;
  if (args.length < registeredArguments.length || registeredArguments.length > 2) return;
  const names = registeredArguments.map((argument) => argument.name());
  const twice = options.find((option) => {
    const value: unknown = command.getOptionValue(option.attributeName());
    const isOther = value !== undefined && String(value) !== args.join();
    // An option that help shows beside words of any number adds to them.
    const adds = registeredArguments.at(-1)?.variadic === true && !option.hidden;
    return names.includes(option.name()) && !isGlobal(option) && isOther && !adds;
  });
  if (twice !== undefined) throw givenTwice(twice.name(), args[names.indexOf(twice.name())]);
}

/** Refuses --dry-run for a command that would ignore it. @throws Problem(usage) */
function refuseDryRun(command: Command, { dryRun }: GlobalFlags): void {
  const { noDryRun: hint } = helpOf(command);
  if (dryRun === true && hint !== undefined)
    throw new Problem('usage', `\`docsctl ${wordsOf(command)}\` has no dry run.`, { hint });
}

function describeInterruption({ done }: Changes): Problem {
  return new Problem(
    'interrupted',
    done === 0
      ? 'Interrupted. Nothing was changed.'
      : `Interrupted. ${plural(done, 'change', 'changes')} had already been made and ${done === 1 ? 'is' : 'are'} kept.`,
  );
}

async function saveHistory(runtime: Runtime, command: Command, changes: Changes): Promise<void> {
  if (changes.requests.length === 0) return;
  const { appendHistory, keepsHistory } = await import('./history.ts');
  if (keepsHistory(runtime)) appendHistory(runtime, wordsOf(command), changes);
}

/** Runs work with observers of its requests for --trace and --record. */
async function observing(
  runtime: Runtime,
  { trace, record }: GlobalFlags,
  work: (onExchange?: (exchange: Exchange) => void) => Promise<void>,
): Promise<void> {
  if (trace !== true && record === undefined) return work();
  const { startRecording, traceLine } = await import('./exchanges.ts');
  const recording = record === undefined ? undefined : startRecording(runtime, record);
  try {
    await work((exchange) => {
      if (trace === true) void runtime.terminal.stderr.write(`${traceLine(exchange)}\n`);
      recording?.add(exchange);
    });
  } finally {
    recording?.save();
  }
}
