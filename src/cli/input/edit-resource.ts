import { isDeepStrictEqual } from 'node:util';
import { tagOf } from '../../contract/entity-tag.ts';
import { eachItem } from '../../contract/each-page.ts';
import { isOperation, type Operation, type PathParams } from '../../contract/operation.ts';
import { defined, isRecord, recordOf } from '../../contract/values.ts';
import { Problem } from '../../errors/problem.ts';
import { nounOf } from '../../resources/index.ts';
import { parseYaml } from '../../richtext/yaml.ts';
import { editText } from '../commands/pages/editor.ts';
import { singular } from '../confirm/confirm.ts';
import { isText, propertiesIn, takesNull, type Schema } from './field-schema.ts';
import { withKeptText } from '../session/kept-text.ts';
import { hunksOf } from '../../richtext/diff-hunks.ts';
import { drawHunks } from '../output/diff.ts';
import { createStyler } from '../output/style.ts';
import { yamlText } from '../output/yaml.ts';
import { ask } from '../prompts.ts';
import { canAsk, type Session } from '../session/session.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Editing {
  readonly operation: Operation;
  /** The number of named resources. Only one can be edited. */
  readonly targets: number;
  readonly params: PathParams;
  /** Fields from options. The edited text starts with them. */
  readonly given: Fields;
  /**
   * Sends the changed fields, or prints the request with --dry-run. `ifMatch` is the entity tag of the resource before the edit.
   */
  readonly send: (changed: Fields, ifMatch?: string) => Promise<void>;
}

/** Opens the fields of a resource in the editor as YAML, shows the changes, asks for confirmation, and sends them. */
export async function editResource(
  session: Session,
  { operation, targets, params, given, send }: Editing,
): Promise<void> {
  const noun = singular(nounOf(operation.id).words);
  const { flags, note } = session;
  if (targets > 1) throw new Problem('usage', `Only one ${noun} can be edited at a time, not ${targets}.`);
  if (!canAsk(session))
    throw new Problem('usage', 'An editor needs a terminal, but there is none.', {
      hint: 'Give the new values with options, or with --body FILE.',
    });
  const fields = propertiesIn(operation.body).filter(([, schema]) => !isText(schema));
  const read = () => readResource(session, operation, params);
  const before = pick((await read()).resource, fields);
  const start = { ...before, ...given };
  const { path, text, discard } = await editText(
    session,
    `${noun.replaceAll(' ', '-')}.yaml`,
    `${introduction}${fields.map(([name, schema]) => fieldText(name, schema, start[name])).join('')}`,
    'or give the new values with options',
  );
  try {
    const after = readFields(text, path);
    const changed = changesOf(before, after, fields);
    if (Object.keys(changed).length === 0) {
      await discard();
      return note('Nothing was changed, so nothing was sent.');
    }
    await showDifference(session, before, { ...before, ...changed });
    let tag: string | undefined;
    if (flags.dryRun !== true) {
      if (flags.yes !== true && !(await ask(session, 'Send these changes?')))
        throw new Problem('guard-refused', 'Not confirmed. Nothing was changed.');
      const now = await read();
      tag = now.tag;
      if (!isDeepStrictEqual(pick(now.resource, fields), before))
        throw new Problem('conflict', `The ${noun} was changed while you edited it.`, {
          hint: 'Edit it again, starting from the new values.',
        });
    }
    await send(operation.method === 'PUT' ? defined({ ...before, ...changed }) : changed, tag);
    await discard();
  } catch (error) {
    throw withKeptText(error, path, { failed: 'The changes could not be sent.', option: '--body' });
  }
}

const introduction = `# Change the values, save, and close the editor. You are asked before anything is sent.
# Lines that begin with # are ignored. Delete a line to remove its value.
`;

function fieldText(name: string, schema: Schema, value: unknown): string {
  const { description = '' } = schema;
  const comment = description === '' ? '' : `\n# ${description}\n`;
  return value === undefined || value === null
    ? `${comment}#${name}:\n`
    : comment + yamlText({ [name]: value });
}

/** Reads the resource with its entity tag by its get operation, or else from the list. @throws Problem(not-found) */
async function readResource(
  session: Session,
  { id, path }: Operation,
  params: Editing['params'],
): Promise<{ resource: unknown; tag?: string | undefined }> {
  const noun = nounOf(id);
  const operations = Object.values(await noun.contract()).filter(isOperation);
  const named = (verb: string) => operations.find((one) => one.id === id.replace(/update$/, verb));
  const get = named('get');
  if (get?.path === path) {
    const resource: unknown = await session.call(get, { params, query: {} });
    return { resource, tag: tagOf(resource) };
  }
  const list = named('list');
  const last = params[/:(\w+)$/.exec(path)?.[1] ?? ''];
  if (list !== undefined) {
    const items: AsyncIterable<{ id?: unknown }> = eachItem(session, list, { params });
    for await (const item of items) if (item.id === last) return { resource: item };
  }
  throw new Problem('not-found', `There is no ${singular(noun.words)} "${last ?? ''}".`);
}

function pick(resource: unknown, fields: readonly [string, Schema][]): Fields {
  const values = recordOf(resource);
  return Object.fromEntries(
    fields.flatMap(([name]) => {
      const value = values[name];
      return value === undefined || value === null ? [] : [[name, value]];
    }),
  );
}

function readFields(text: string, path: string): Fields {
  const read: unknown = parseYaml(text, path) ?? {};
  if (isRecord(read)) return read;
  throw new Problem('invalid-input', 'The edited text has no fields.', {
    hint: 'Write one field per line, such as `title: Guide`.',
  });
}

/** Returns the changed fields; null for a deleted value. @throws Problem(invalid-input) if a required value is deleted */
function changesOf(before: Fields, after: Fields, fields: readonly [string, Schema][]): Fields {
  const schemas = new Map(fields);
  const changed: Record<string, unknown> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const value = after[name] ?? null;
    if (isDeepStrictEqual(value, before[name] ?? null)) continue;
    const schema = schemas.get(name);
    if (value === null && schema !== undefined && !takesNull(schema))
      throw new Problem('invalid-input', `The value of "${name}" cannot be removed.`, {
        hint: `Give "${name}" a value.`,
      });
    changed[name] = value;
  }
  return changed;
}

/** Shows on standard error which lines would change. */
async function showDifference({ terminal, note }: Session, before: Fields, after: Fields): Promise<void> {
  const style = await createStyler(terminal.color);
  const text = (fields: Fields) =>
    yamlText(Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null)));
  note('Changes:');
  await terminal.stderr.write(drawHunks(hunksOf(text(before), text(after), 2), style));
}
