/** Removes the settings of docsctl from the environment: tests must not find the store, server or profile of the person who runs them. */
export function clearSettings(env: NodeJS.ProcessEnv): void {
  for (const name of Object.keys(env))
    if (/^DOCSCTL_(?!CHROMIUM$|NODE$|TARBALL$|TEST_)/.test(name)) delete env[name];
}
