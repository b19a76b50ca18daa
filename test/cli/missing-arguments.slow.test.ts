import { afterEach, beforeEach, expect, it } from 'vitest';
import { helpOf } from '../../src/cli/composite-command.ts';
import { isRequired } from '../../src/cli/input/required.ts';
import { wordsOf } from '../../src/cli/command-words.ts';
import { allCommands } from '../support/whole-program.ts';
import { openGuideStore, type GuideStore } from './guide-store.ts';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
  await desk.done(['sites', 'create', '--title', 'Docs']);
});
afterEach(() => desk.discard());

/** Returns the commands that require an argument, an option, or one of several options for a field. */
async function commandsThatRequire() {
  const leaves = (await allCommands()).filter(({ commands }) => commands.length === 0);
  return leaves.flatMap((command) => {
    const { operation } = helpOf(command);
    const templated = (operation?.cli.flags ?? []).flatMap(({ template }) => Object.keys(template as object));
    const fields: readonly string[] = operation?.body?.required ?? [];
    const isNeeded =
      command.options.some((option) => option.mandatory || isRequired(option)) ||
      command.registeredArguments.some((argument) => argument.required || isRequired(argument)) ||
      fields.some((name) => templated.includes(name));
    return isNeeded ? [{ words: wordsOf(command), isOperation: operation !== undefined }] : [];
  });
}

it(
  'every command without its required arguments and options exits with 64',
  { timeout: 60_000 },
  async () => {
    const commands = await commandsThatRequire();
    expect(commands.length).toBeGreaterThan(300);
    const others: string[] = [];
    const run = async (
      words: string,
      env: Readonly<Record<string, string>>,
      allowed: (exit: number) => boolean,
    ) => {
      const { exit, stderr } = await desk.run([...words.split(' '), '--no-input', '--yes'], { env });
      if (!allowed(exit)) others.push(`${words}: exit ${exit}: ${stderr}`);
    };
    for (const { words } of commands) await run(words, {}, (exit) => exit === 64);
    // With the space and the site in the settings, some commands need nothing else; the others still fail.
    const settings = { DOCSCTL_SPACE: 'Guide', DOCSCTL_SITE: 'Docs' };
    for (const { words, isOperation } of commands)
      if (isOperation) await run(words, settings, (exit) => [0, 5, 64].includes(exit));
    expect(others).toEqual([]);
  },
);

it.each([
  [['tokens', 'create'], 64, '--role is required (one of: admin,'],
  [['saml', 'create', '--dry-run'], 64, '--label is required.'],
  [['translations', 'create', '--space', 'Guide'], 64, 'No language is set for the space "Guide"'],
  [['tokens', 'create', '--role', 'none'], 8, '--role "none" is not one of'],
  [['tokens', 'create', '--role', 'edit', '--expires-at', 'soon'], 8, '--expires-at "soon"'],
])('%j exits with %i', async (words, code, message) => {
  const { exit, stderr } = await desk.run(words);
  expect([exit, stderr]).toEqual([code, expect.stringContaining(message)]);
});

it('an input of --body without a required field exits with 8', async () => {
  for (const words of [
    ['tokens', 'create'],
    ['openapi', 'create', 'payments'],
  ]) {
    const { exit, stderr } = await desk.run([...words, '--body', '-'], { input: '{}' });
    expect([exit, stderr]).toEqual([8, expect.stringContaining('is required')]);
  }
});
