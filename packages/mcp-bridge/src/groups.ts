/** Groups of tools (`--caps`): what is not wanted costs a model no token. */

export const GROUPS = ['line', 'commands'] as const;
export type Group = (typeof GROUPS)[number];
export type Groups = ReadonlySet<Group>;

/** `line,commands`, in any order. Throws an `Error` that names the setting. */
export function parseGroups(text: string): Groups {
  const names = text.split(',').map((name) => name.trim());
  const groups = GROUPS.filter((group) => names.includes(group));
  const isKnown = names.every((name) => GROUPS.some((group) => group === name));
  if (isKnown && groups.length > 0) return new Set(groups);
  throw new Error(
    `The groups of tools (caps) must be of ${GROUPS.join(', ')}, with commas between them, not ${JSON.stringify(text)}.`,
  );
}
