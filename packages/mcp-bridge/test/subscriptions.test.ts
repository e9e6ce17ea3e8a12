import { expect, it, vi } from 'vitest';
import { parseGroups } from '../src/groups.ts';
import { MAX_SUBSCRIPTIONS, Subscriptions } from '../src/subscriptions.ts';
import type { FollowOptions } from '../src/watches.ts';
import { Watches } from '../src/watches.ts';

function make(caps = 'line,commands') {
  const followed: FollowOptions['source'][] = [];
  const stopped: FollowOptions['source'][] = [];
  class Recorded extends Watches {
    override async follow({ source }: FollowOptions) {
      followed.push(source);
      return () => void stopped.push(source);
    }
  }
  const watches = new Recorded({ call: () => Promise.reject(new Error('not dialled')) });
  const subscriptions = new Subscriptions({ watches, groups: parseGroups(caps), tellUpdated: () => {} });
  return { followed, stopped, subscriptions };
}

const uriOf = (index: number) => `session://s${index}/stdout`;

it('take one watch for each resource, whoever wants it, and end it with the last who does', async () => {
  const { followed, stopped, subscriptions } = make();
  await subscriptions.subscribe(uriOf(1), 'x');
  await subscriptions.listen(7, [uriOf(1), 'pidp10://line/screen', 'nonsense://x'], 'x');
  expect(followed).toEqual([{ session: 's1', stream: 'out' }, undefined]);
  subscriptions.unlisten(7);
  subscriptions.unlisten(7);
  expect(stopped).toEqual([undefined]);
  subscriptions.unsubscribe(uriOf(1));
  subscriptions.unsubscribe(uriOf(1));
  expect(stopped).toEqual([undefined, { session: 's1', stream: 'out' }]);
});

it('are so many and no more; one that ended makes room', async () => {
  const { subscriptions } = make();
  for (let index = 0; index < MAX_SUBSCRIPTIONS; index += 1) await subscriptions.subscribe(uriOf(index), 'x');
  await expect(subscriptions.subscribe(uriOf(99), 'x')).rejects.toThrow(/12 subscriptions already/);
  subscriptions.unsubscribe(uriOf(0));
  await subscriptions.subscribe(uriOf(99), 'x');
});

it('of a group that is not offered are refused', async () => {
  await expect(make('line').subscriptions.subscribe(uriOf(1), 'x')).rejects.toThrow(/no such resource/);
  await expect(make('commands').subscriptions.subscribe('pidp10://line/screen', 'x')).rejects.toThrow(
    /no such resource/,
  );
});

it('a request that listens and is cancelled before it is watched leaves no watch', async () => {
  const { followed, stopped, subscriptions } = make();
  const listening = subscriptions.listen(7, [uriOf(1)], 'x');
  subscriptions.unlisten(7);
  await listening;
  await vi.waitFor(() => expect(stopped).toEqual(followed));
  expect(followed).toHaveLength(1);
});
