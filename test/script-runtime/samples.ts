import { readFileSync } from 'node:fs';
import type { Outgoing } from '../../src/core/outgoing.ts';
import type { ScriptLimits, ScriptMessage, ScriptResult, ScriptRuntime } from '../../src/core/scripts.ts';
import { createQuickJsRuntime } from '../../src/script-runtime/quickjs-runtime.ts';
import { createWorkerdRuntime } from '../../src/script-runtime/workerd/workerd-runtime.ts';

const sampleAt = (name: string): string =>
  readFileSync(new URL(`../samples/integrations/${name}.js`, import.meta.url), 'utf8');
const answer = sampleAt('answer');
const panel = sampleAt('panel');

export const forms = ['v1', 'v2'] as const;
export type Form = (typeof forms)[number];

/** A script that answers requests with `body`, which is the body of an async function with a parameter `request`. */
export function scriptOf(form: Form, body: string): string {
  return inForm(form, `async function answer(request, waitUntil) { ${body} }`);
}

function inForm(form: Form, functions: string): string {
  return form === 'v1'
    ? `(() => { ${functions}\naddEventListener('fetch', (event) => event.respondWith(answer(event.request, (work) => event.waitUntil(work)))); })();`
    : `${functions}\nexport default { fetch: (request, env, context) => answer(request, (work) => context.waitUntil(work)) };`;
}

/** The sample integration in both forms. */
export const samples: Readonly<Record<Form, string>> = {
  v1: inForm('v1', answer),
  v2: inForm('v2', answer),
};

/** An integration with blocks that respond to actions of readers, in both forms. */
export const panels: Readonly<Record<Form, string>> = {
  v1: inForm('v1', panel),
  v2: inForm('v2', panel),
};

/** Answers every request with its own method, URL and body. */
export const mirror: Outgoing = async ({ url, method = 'GET', headers = {}, body = '' }) => ({
  status: 200,
  headers: { 'content-type': 'application/json', 'x-type': headers['content-type'] ?? '' },
  bytes: Buffer.from(JSON.stringify({ url, method, body: Buffer.from(body).toString() })),
  url,
});

interface TestOptions {
  readonly outgoing?: Outgoing;
  readonly limits?: Partial<ScriptLimits>;
  readonly maxProcesses?: number;
}
const optionsOf = ({ outgoing = mirror, ...rest }: TestOptions) => ({
  outgoing,
  api: async () => undefined,
  ...rest,
});

/** Creates a runtime for tests. */
export function quickjs(options: TestOptions = {}): ScriptRuntime {
  return createQuickJsRuntime(optionsOf(options));
}

/** The path of the program workerd, if it is installed. It is a large package that docsctl does not depend on. */
export const workerdBinary = process.env['DOCSCTL_TEST_WORKERD'];

/** The runtimes that must behave in the same way. */
export const drivers: readonly (readonly [name: string, create: typeof quickjs])[] = [
  ['QuickJS', quickjs],
  ...(workerdBinary === undefined
    ? []
    : [
        [
          'workerd',
          (options: TestOptions = {}) =>
            createWorkerdRuntime({ binary: workerdBinary, ...optionsOf(options) }),
        ] as const,
      ]),
];

/** Sends a message to a script, in a new integration unless one is given. */
export async function ask(
  runtime: ScriptRuntime,
  form: Form,
  script: string,
  {
    integration = 'bot',
    installation = 'ins_1',
    version = script,
    event = { type: 'fetch' },
    environment = { secrets: {} },
    body,
  }: {
    integration?: string;
    installation?: string;
    version?: string;
    event?: { type: string; [field: string]: unknown };
    environment?: object;
    body?: ScriptMessage['body'];
  } = {},
): Promise<ScriptResult & { text: string; json: () => unknown }> {
  const result = await runtime.run({
    integration,
    installation,
    version,
    form,
    script: async () => script,
    message: { event: { eventId: 'evt_1', ...event }, environment, body },
  });
  const text = Buffer.from(result.answer?.body ?? '').toString();
  return { ...result, text, json: () => JSON.parse(text) as unknown };
}
