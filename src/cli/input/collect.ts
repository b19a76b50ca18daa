/** Collects the values of an option that can be repeated; help shows such an option as repeatable. */
export function collect(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}
