import { answer, responder, type WorkerdContext } from './workerd.ts';

// Stands before scripts of the second form in workerd, as a module of its own.

/** Returns what workerd gives messages to, for the module of a script. */
export function serve(exports: Parameters<typeof responder.useModule>[0]): object {
  let problem: { readonly error: unknown } | undefined;
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
