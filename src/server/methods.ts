/**
 * Tells which methods a path knows, for 405 and its Allow header; none where there is no such path. Looks through the
 * routes one by one: only requests that no route took come here.
 */
export function createAllowedMethods(
  routes: readonly { readonly method: string; readonly url: string }[],
): (path: string) => readonly string[] {
  // Read with the first question: routes in a scope of their own come when the server gets ready.
  let known: { method: string; parts: string[] }[] | undefined;
  return (path) => {
    known ??= routes.map(({ method, url }) => ({ method, parts: url.split('/') }));
    const parts = path.split('/');
    const fits = known.filter(
      (route) =>
        route.parts.length === parts.length &&
        route.parts.every((part, at) => (part.startsWith(':') ? parts[at] !== '' : part === parts[at])),
    );
    const methods = new Set(fits.map(({ method }) => method));
    if (methods.has('GET')) methods.add('HEAD');
    return [...methods].sort();
  };
}
