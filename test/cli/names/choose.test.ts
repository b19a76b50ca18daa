import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { run } from '../../../src/cli/program.ts';
import { runtimeOf, splitWords } from '../../support/cli.ts';
import { openGuideStore, type GuideStore } from '../guide-store.ts';

const down = '\u001b[B';

let desk: GuideStore;
beforeEach(async () => {
  desk = await openGuideStore();
});
afterEach(() => desk.discard());

/** Runs a command on a terminal, and presses each key after something new was drawn. */
async function typing(line: string, keys: readonly string[]) {
  const { runtime, out, err } = runtimeOf(splitWords(line), { ...desk.options, attended: true });
  const stdin = new PassThrough();
  const drawn = new PassThrough();
  const waiting = [...keys];
  let screen = '';
  drawn.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    const key = waiting.shift();
    if (key !== undefined) setImmediate(() => stdin.write(key));
  });
  const terminal = Object.create(runtime.terminal, { stdin: { value: stdin } }) as typeof runtime.terminal;
  const exit = await run({ ...runtime, terminal, promptOutput: drawn });
  return { exit, stdout: out.bytes().toString(), stderr: err.bytes().toString(), screen };
}

describe('a prompt on a terminal', () => {
  it('lists the resources to choose from if a name matches several', async () => {
    await desk.done(['spaces', 'create', '--title', 'guide']);
    await desk.done(['spaces', 'create', '--title', 'GUIDE']);
    const { exit, stdout, screen } = await typing('spaces get gUIDE --columns title', [down, '\r']);
    expect({ exit, stdout }).toEqual({
      exit: 0,
      stdout: expect.stringMatching(/^title\t(?:guide|GUIDE)\n$/),
    });
    expect(screen).toContain('Which space is "gUIDE"?');
  });

  it('lists the resources to choose from if an argument is missing', async () => {
    const { exit, stdout, screen } = await typing('spaces get --columns title', ['\r']);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'title\tGuide\n' });
    expect(screen).toContain('Which space?');
    const token = await typing('tokens create -o json', [down, '\r']);
    expect(token.exit).toBe(0);
    expect(token.screen).toContain('Which role?');
  });

  it('shows a name for every choice, also for pages without a path and translations', async () => {
    await desk.done(['pages', 'create', 'Guide', 'Status', '--type', 'link', '--href', 'https://status.test', '--merge']); // prettier-ignore
    const page = await typing('pages show Guide', ['\u0003']);
    expect(page.screen).toContain('Status');
    expect(page.screen).not.toContain('(pag_');
    await desk.done(['translations', 'create', '--space', 'Guide', '--from', 'en', '--language', 'de']);
    await desk.done(['translations', 'create', '--space', 'Guide', '--from', 'en', '--language', 'fr']);
    const { exit, stdout, screen } = await typing('translations get --columns language', [down, '\r']);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'language\tfr\n' });
    expect(screen).toContain('Guide (German)');
    expect(screen).toContain('Guide (French)');
  });

  it('describes tokens without a name by role and date', async () => {
    await desk.done(['tokens', 'create', '--role', 'read']);
    const { screen } = await typing('tokens delete', ['\u0003']);
    expect(screen).toMatch(/❯ read ana@acme\.test \d{4}-\d\d-\d\d \d\d:\d\dZ/);
  });

  it('lists deleted spaces for spaces restore', async () => {
    await desk.done(['spaces', 'create', '--title', 'Old']);
    await desk.done(['spaces', 'delete', 'Old', '--yes']);
    const { exit, stdout, screen } = await typing('spaces restore --columns title', ['\r']);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: 'title\tOld\n' });
    expect(screen).not.toContain('Guide');
  });

  it('asks for a missing title, which may stay empty if the API does not require it', async () => {
    const team = await typing('teams create --columns title', ['\r', 'Writers\r']);
    expect(team).toMatchObject({ exit: 0, stdout: 'title\tWriters\n' });
    expect(team.screen).toContain('Title of the team:');
    expect(team.screen).toContain('The text must not be empty.');
    const space = await typing('spaces create --columns title', ['Manual\r']);
    expect(space).toMatchObject({ exit: 0, stdout: 'title\tManual\n' });
    expect(await typing('spaces create --columns title', ['\r'])).toMatchObject({
      exit: 0,
      stdout: 'title\tUntitled\n',
    });
    // With options, a missing title is not prompted for.
    expect(await typing('spaces create --emoji 📗 --columns title', [])).toMatchObject({
      exit: 0,
      stdout: 'title\tUntitled\n',
      screen: '',
    });
  });

  it('asks for the title of a page to create, not for an existing page', async () => {
    const named = await typing('pages create Guide --merge -o json', ['Install\r']);
    expect(named).toMatchObject({ exit: 0, screen: expect.stringContaining('Title of the page:') });
    expect(named.stdout).toContain('"title": "Install"');
    const chosen = await typing('pages create --merge -o json', ['\r', 'Backups\r']);
    expect(chosen).toMatchObject({ exit: 0, screen: expect.stringContaining('Which space?') });
    expect(chosen.stdout).toContain('"title": "Backups"');
  });

  it.each([
    ['Ctrl-C', '\u0003'],
    ['Ctrl-D', '\u0004'],
  ])('changes nothing after %s, and is removed from the screen', async (_, key) => {
    const { exit, stderr, screen } = await typing('spaces delete', [key]);
    expect({ exit, stderr }).toEqual({
      exit: 130,
      stderr: expect.stringContaining('Interrupted. Nothing was changed.'),
    });
    const last = screen.slice(screen.lastIndexOf('Guide'));
    expect(last).toContain('\u001b[2K\u001b[1A\u001b[2K');
  });
});

it('nothing is prompted without a terminal or with --no-input', async () => {
  expect(await desk.run(['spaces', 'get'])).toMatchObject({
    exit: 64,
    stderr: expect.stringContaining('No space is given.'),
  });
  expect(await typing('spaces get --no-input', [])).toMatchObject({ exit: 64, screen: '' });
});
