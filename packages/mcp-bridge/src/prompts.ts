/** The prompts of MCP (PARITY B15): guides that a person picks. Only their names are here; the texts load when one is wanted. */
import type { Group, Groups } from './groups.ts';

export interface Prompt {
  readonly name: PromptName;
  readonly title: string;
  readonly description: string;
  readonly group: Group;
}

export const PROMPTS = [
  {
    name: 'picocom_guide',
    title: 'Serial consoles with picocom',
    description: 'How to talk to a board on a serial port.',
    group: 'commands',
  },
  {
    name: 'gdb_guide',
    title: 'Debugging with gdb',
    description: 'How to drive gdb: breakpoints, values, interrupts.',
    group: 'commands',
  },
  {
    name: 'blackmagic_probe_guide',
    title: 'Black Magic Probe',
    description: 'How to flash and debug a microcontroller with a Black Magic Probe.',
    group: 'commands',
  },
  {
    name: 'its_first_steps',
    title: 'First steps on ITS',
    description: 'How to log in, look around and leave.',
    group: 'line',
  },
  {
    name: 'its_ddt_guide',
    title: 'DDT, the shell of ITS',
    description: 'Commands, jobs, errors, keys.',
    group: 'line',
  },
  {
    name: 'its_editor_guide',
    title: 'EMACS and TECO on ITS',
    description: 'How to write and change files.',
    group: 'line',
  },
  {
    name: 'its_midas_guide',
    title: 'MIDAS, the assembler of ITS',
    description: 'How to assemble and run a program.',
    group: 'line',
  },
] as const satisfies readonly (Omit<Prompt, 'name'> & { readonly name: string })[];

export type PromptName = (typeof PROMPTS)[number]['name'];

export function promptsOf(groups: Groups): readonly Prompt[] {
  return PROMPTS.filter(({ group }) => groups.has(group));
}

export async function loadGuide(name: PromptName): Promise<string> {
  const { GUIDES } = await import('./guides.ts');
  return GUIDES[name];
}
