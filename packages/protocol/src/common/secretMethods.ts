/** Methods of secrets that a person types past whoever asks for them. */
import { type MethodEntry, nothing } from './methodEntry.ts';
import {
  secretCancelParams,
  secretGiveParams,
  secretGiveResult,
  secretListResult,
  secretRequestParams,
  secretRequestResult,
  secretWaitParams,
  secretWaitResult,
} from './secretSchemas.ts';

export const SECRET_METHODS = {
  'secret.request': {
    summary:
      'Asks a person for a secret that is typed past the caller; answers at once with where to give it.',
    params: secretRequestParams,
    result: secretRequestResult,
    access: 'type',
    since: '1.3',
  },
  'secret.wait': {
    summary: 'Waits until the secret was given, and for what it produced.',
    params: secretWaitParams,
    result: secretWaitResult,
    access: 'type',
    since: '1.3',
  },
  'secret.give': {
    summary: 'Gives a secret that somebody asks for; only a person does this.',
    params: secretGiveParams,
    result: secretGiveResult,
    access: 'type',
    since: '1.3',
  },
  'secret.cancel': {
    summary: 'Asks no longer; the page is gone.',
    params: secretCancelParams,
    result: nothing,
    access: 'type',
    since: '1.3',
  },
  'secret.list': {
    summary: 'Secrets that are asked for now.',
    params: nothing,
    result: secretListResult,
    access: 'read',
    since: '1.3',
  },
} as const satisfies Record<string, MethodEntry>;
