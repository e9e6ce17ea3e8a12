/** A line and a client that has a DDT on it. */

import type { Fakeline, FakelineOptions } from '../src/index.ts';
import { startFakeline } from '../src/index.ts';
import { TestClient } from './client.ts';

export interface OpenDdt extends AsyncDisposable {
  readonly line: Fakeline;
  readonly client: TestClient;
  /** What has come since the last call. */
  take(): string;
}

/** With the output up to the prompt taken. */
export async function openDdt(options: FakelineOptions = {}): Promise<OpenDdt> {
  const line = await startFakeline({ pollMs: 0, ctrlZMs: 0, ...options });
  const client = await TestClient.open(line.port);
  client.send('\x1a:vk\r');
  await client.until(() => /:vk/i.test(client.text) && client.text.endsWith('*'), 'the prompt');
  let taken = client.text.length;
  return {
    line,
    client,
    take: () => {
      const text = client.text.slice(taken);
      taken += text.length;
      return text;
    },
    [Symbol.asyncDispose]: async () => {
      await client[Symbol.asyncDispose]();
      await line.close();
    },
  };
}
