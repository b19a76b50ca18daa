import { answer, responder, type WorkerdContext } from './workerd.ts';

// Loaded before scripts of the second form in workerd, as a separate module.

/** Returns the handler to which workerd passes messages, for the module of a script. */
export function serve(exports: Parameters<typeof responder.useModule>[0]): object {
  let problem: { error: unknown } | undefined;
  try {
    responder.useModule(exports);
  } catch (error) {
    problem = { error };
  }
  return {
    fetch: (request: Request, _: object, context: WorkerdContext): Promise<Response> =>
      answer(request, context, problem),
  };
}
