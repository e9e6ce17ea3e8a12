/** Waits for a condition turn by turn of the event loop; unlike vi.waitFor it leaves fake timers where they are. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}
