import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { helpOf } from '../../../src/cli/composite-command.ts';
import { wordsOf } from '../../../src/cli/command-words.ts';
import { createExampleWorld, type ExampleWorld } from '../../support/example-world.ts';
import { allCommands } from '../../support/whole-program.ts';

const pages = (await allCommands())
  .map((command) => [wordsOf(command), helpOf(command).examples] as const)
  .filter(([, examples]) => examples.length > 0);

/** Every example of every help page works as printed, in the organization of test/samples/acme. */
describe('every example of the help works as printed', () => {
  let world: ExampleWorld;
  beforeAll(async () => {
    world = await createExampleWorld();
  }, 60_000);
  afterAll(() => world.discard());

  it.each(pages)('docsctl %s', async (_, examples) => {
    for (const line of examples) {
      const [, expected = '0'] = /# exit (\d+)$/.exec(line) ?? [];
      const { exit, stderr } = await world.run(line, {
        attended: line.endsWith('# opens your editor'),
        ...(line.endsWith('# runs until Ctrl-C') && { signal: AbortSignal.timeout(300) }),
      });
      expect(`${line}: exit ${exit}${exit === Number(expected) ? '' : `\n${stderr}`}`).toBe(
        `${line}: exit ${expected}`,
      );
    }
  });
});
