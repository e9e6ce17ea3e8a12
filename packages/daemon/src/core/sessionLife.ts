/** The life of a command in words, for its record. */
import type { SessionEffect, SessionExit, SessionStateSnapshot } from './sessionState.ts';

export function exitText({
  code,
  signal,
}: {
  readonly [key in keyof SessionExit]: SessionExit[key] | undefined;
}): string {
  return signal === undefined ? `code ${code ?? 'unknown'}` : `by ${signal}`;
}

/** What is said of a step from one state to another, in order. */
export function lifeText(
  before: SessionStateSnapshot,
  after: SessionStateSnapshot,
  effects: readonly SessionEffect[],
): readonly string[] {
  return [...stoppingText(before, after), ...effects.flatMap((effect) => effectText(effect))];
}

function stoppingText(before: SessionStateSnapshot, after: SessionStateSnapshot): readonly string[] {
  if (before.stopping.phase === after.stopping.phase) return [];
  switch (after.stopping.phase) {
    case 'asking':
      return [after.cause === 'timeout' ? 'stopping: its time is over' : 'stopping'];
    case 'killing':
      return ['killing'];
    default:
      return [];
  }
}

function effectText(effect: SessionEffect): readonly string[] {
  switch (effect.kind) {
    case 'exited':
      return [`exited: ${exitText(effect.exit)}`];
    case 'outputHeld':
      return [`output held open by others: ${effect.streams.join(', ')}`];
    case 'outputEnded':
      return ['output ended'];
    case 'stopped': {
      const left = effect.survivors.map(({ pid, name }) => `${name} (${pid})`);
      return left.length === 0 ? [] : [`still alive: ${left.join(', ')}`];
    }
    case 'signal':
    case 'look':
      return [];
    default:
      return effect satisfies never;
  }
}
