import { existsSync, readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { editText } from '../../../../src/cli/commands/pages/editor.ts';
import type { Session } from '../../../../src/cli/session/session.ts';
import { folderOf, problemIn } from '../../../manifest/read/folder.ts';
import { runtimeOf } from '../../../support/cli.ts';

/** Edits a text with a script that gets the path of the file as `file`. Returns the Problem, and the files that are left. */
async function edit(script: string) {
  const temporary = folderOf({});
  const code = `const fs = require("node:fs"); const file = process.argv[1]; ${script}`;
  const env = { TMPDIR: temporary, EDITOR: `'${process.execPath}' -e '${code}'` };
  const { runtime } = runtimeOf([], { home: temporary, cwd: temporary, env });
  const session = { runtime, terminal: { stdoutIsTTY: false } } as unknown as Session;
  const problem = await problemIn(editText(session, 'start.md', 'Text'));
  return { reason: problem.reason, message: problem.message, left: readdirSync(temporary) };
}

it('editText sends nothing and keeps nothing if the editor deletes the file', async () => {
  expect(await edit('fs.rmSync(file);')).toEqual({
    reason: 'guard-refused',
    message: 'The editor deleted the file, so nothing was sent.',
    left: [],
  });
  expect(await edit('fs.rmSync(file); process.exit(3);')).toEqual({
    reason: 'guard-refused',
    message: 'The editor exited with code 3, so nothing was sent.',
    left: [],
  });
});

it('editText keeps a changed text if the editor fails', async () => {
  const { message, left } = await edit('fs.writeFileSync(file, "New"); process.exit(3);');
  const [, path = ''] = /Your text is kept in (.*)\.$/.exec(message) ?? [];
  expect([existsSync(path), left.length]).toEqual([true, 1]);
});
