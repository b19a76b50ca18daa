import type { CommandHelp, DefineCommand } from '../../composite-command.ts';
import { isProblem, Problem, type Violation } from '../../../errors/problem.ts';
import type { Session } from '../../session/session.ts';
import { readSpecificationFile } from './specification-file.ts';

export const help: CommandHelp = {
  description: `
Checks Swagger 2.0, OpenAPI 3.0 and OpenAPI 3.1 in JSON or YAML, with all files that the specification refers to. Works without a store or server. Each error is printed with its file, line and column (exit 8), even if \`docsctl openapi publish\` would only warn about it.
`,
  examples: [
    'docsctl openapi validate billing.yaml',
    'docsctl openapi validate billing.yaml billing-next.yaml',
    'docsctl openapi validate billing.yaml --query operations -o json',
  ],
};

export const define: DefineCommand = (command, inSession) => {
  command
    .argument('<file...>', 'files of specifications, or - for standard input')
    .option(
      '--root <folder>',
      'folder that contains the specification and all files that it refers to (default: the folder of the file)',
    )
    .action(inSession(validate));
};

const columns = ['title', 'version', 'format', 'operations', 'webhooks', 'schemas'];

async function validate(
  session: Session,
  files: readonly string[],
  { root }: { root?: string },
): Promise<void> {
  const valid: object[] = [];
  const violations: Violation[] = [];
  for (const file of files)
    try {
      const { read } = await readSpecificationFile(session, file, root, true);
      valid.push({ file, ...read.facts });
    } catch (error) {
      if (files.length === 1 || !isProblem(error, 'invalid-input')) throw error;
      const { message } = error;
      violations.push(...(error.violations.length > 0 ? error.violations : [{ path: file, message }]));
    }
  const [only] = valid;
  if (files.length === 1 && only !== undefined) return session.print(only, { columns });
  await session.printAll(valid, {
    columns: ['file', ...columns],
    noun: 'valid specifications',
    idField: 'file',
  });
  const invalid = files.length - valid.length;
  if (invalid === 0) return;
  throw new Problem('invalid-input', `${invalid} of ${files.length} specifications are not valid.`, {
    violations,
    hint: 'Correct the errors and run the command again.',
  });
}
