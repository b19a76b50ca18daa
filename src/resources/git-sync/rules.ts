/** Returns the name that the credentials of a space are encrypted for. */
export function credentialsOf(spaceId: string): string {
  return `the credentials of the git repository of ${spaceId}`;
}
