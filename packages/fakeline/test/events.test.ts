import { expect, test } from 'vitest';
import { EventLog } from '../src/events.ts';

const EVENT = { connection: 1, remotePort: 2 };

test('a wait that is true already resolves, another at the event that makes it true', async () => {
  const log = new EventLog();
  await log.waitFor(() => true, { what: 'nothing' });
  const waiting = log.waitFor((events) => events.length === 2, { what: 'two events' });
  log.add({ ...EVENT, kind: 'accepted' });
  log.add({ ...EVENT, kind: 'greeted' });
  await expect(waiting).resolves.toBeUndefined();
});

test('a timeout names what was waited for and what has happened', async () => {
  const log = new EventLog();
  log.add({ ...EVENT, kind: 'accepted' });
  await expect(log.waitFor(() => false, { what: 'the greeting', timeoutMs: 1 })).rejects.toThrow(
    /waited for the greeting: not within 1 ms; last events: accepted #1/,
  );
});

test('closing rejects whoever waits', async () => {
  const log = new EventLog();
  const waiting = log.waitFor(() => false, { what: 'a second client' });
  log.close();
  await expect(waiting).rejects.toThrow(/a second client: the line was closed; nothing has happened/);
});
