import { request } from 'node:http';
import { rpcError } from '@pidp10/protocol/errors';
import { MAX_SECRET_CHARS } from '@pidp10/protocol/secretSchemas';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { MAX_FORM_BYTES, type PublishedSecret, SecretPage } from '../../src/io/secretPage.ts';

const CANARY = 'canary-4711';

interface Asking extends PublishedSecret {
  readonly given: string[];
}

function asking(id = 'k1', give?: PublishedSecret['give']): Asking {
  const given: string[] = [];
  return {
    id,
    client: 'agent <b>',
    place: 'the line',
    message: 'for \u202eevil"\nsecond line',
    expiresAt: '2030-01-01T00:00:00.000Z',
    lastLine: () => '<script>Password:\x1b]0;x\x07 ',
    given,
    give: async (value) => {
      given.push(value);
      return give === undefined ? { state: 'sent' } : await give(value);
    },
  };
}

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: NodeJS.Dict<string | string[]>;
}

/** With node:http, because fetch writes Host and Origin itself. */
function call(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text, headers: response.headers }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** As the page's own form does. */
function post(url: string, value: string, headers: Record<string, string> = {}): Promise<Answer> {
  return call(url, {
    method: 'POST',
    headers: {
      origin: new URL(url).origin,
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    body: new URLSearchParams({ secret: value }).toString(),
  });
}

let page: SecretPage;
beforeEach(() => {
  page = new SecretPage();
});
afterEach(() => page[Symbol.asyncDispose]());

describe('C02 · the page for a secret', () => {
  test('is on the loopback, under a link that nobody guesses', async () => {
    const one = await page.publish(asking('k1'));
    const two = await page.publish(asking('k2'));
    expect(one).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/secret\/[\w-]{43}$/);
    expect(two).not.toBe(one);
    expect((await call(new URL('/secret/', one).href)).status).toBe(404);
    expect((await call(new URL('/', one).href)).status).toBe(404);
  });

  test('I17 · A02 · says who asks for what, and hostile text does nothing there', async () => {
    const { status, text } = await call(await page.publish(asking()));
    expect(status).toBe(200);
    expect(text).toContain('agent &lt;b&gt;');
    expect(text).toContain('for &lt;U+202E&gt;evil&quot;<br>second line');
    expect(text).toContain('&lt;script&gt;Password:^[]0;x^G');
    for (const raw of ['<script', '<b>', '\u202e', '\x1b']) expect(text).not.toContain(raw);
  });

  test('may not be kept, framed, or filled by scripts', async () => {
    const { headers, text } = await call(await page.publish(asking()));
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['referrer-policy']).toBe('same-origin');
    expect(headers['x-frame-options']).toBe('DENY');
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['content-security-policy']).toContain("form-action 'self'");
    const nonce = /nonce-([\w-]+)/.exec(String(headers['content-security-policy']))?.[1];
    expect(text).toContain(`<style nonce="${nonce}">`);
  });

  test('takes a secret once', async () => {
    const secret = asking();
    const url = await page.publish(secret);
    await page.publish(asking('other'));
    expect((await post(url, CANARY)).status).toBe(200);
    expect((await post(url, 'again')).status).toBe(404);
    expect((await call(url)).status).toBe(404);
    expect(secret.given).toEqual([CANARY]);
  });

  test('takes one of two that come at the same time', async () => {
    const secret = asking();
    const url = await page.publish(secret);
    await page.publish(asking('other'));
    const answers = await Promise.all([post(url, 'one'), post(url, 'two')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    expect(secret.given).toHaveLength(1);
  });

  test.each([
    ['another name for this host', { host: 'evil.example' }, 421],
    ['localhost, which may be somebody else’s', { host: 'localhost' }, 421],
    ['another origin', { origin: 'http://evil.example' }, 403],
    ['no origin that can be told', { origin: 'null' }, 403],
    ['another kind of body', { 'content-type': 'text/plain' }, 403],
  ])('refuses %s', async (_what, headers, status) => {
    const secret = asking();
    const url = await page.publish(secret);
    expect((await post(url, CANARY, headers)).status).toBe(status);
    expect(secret.given).toEqual([]);
    expect((await post(url, CANARY)).status).toBe(200);
  });

  test('refuses a form without an origin, and other methods', async () => {
    const url = await page.publish(asking());
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await call(url, { method: 'POST', headers, body: `secret=${CANARY}` })).status).toBe(403);
    expect((await call(url, { method: 'PUT', headers, body: 'x' })).status).toBe(405);
  });

  test.each([
    ['nothing', ''],
    ['two lines', `${CANARY}\nx`],
    ['a control character', `${CANARY}\x1b`],
    ['one character too many', 'x'.repeat(MAX_SECRET_CHARS + 1)],
  ])('asks again for %s, and does not repeat it', async (_what, value) => {
    const secret = asking();
    const url = await page.publish(secret);
    const { status, text } = await post(url, value);
    expect(status).toBe(400);
    expect(text).toContain('Nothing was sent');
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain('xxx');
    expect((await post(url, 'x'.repeat(MAX_SECRET_CHARS))).status).toBe(200);
    expect(secret.given).toEqual(['x'.repeat(MAX_SECRET_CHARS)]);
  });

  test('I6 · takes no form that is longer than any of its own', async () => {
    const url = await page.publish(asking());
    const room = MAX_FORM_BYTES - 'secret='.length;
    expect((await post(url, 'x'.repeat(room))).status).toBe(400);
    const long = await post(url, 'x'.repeat(room + 1)).then(
      ({ status }) => status,
      () => 'reset',
    );
    expect([413, 'reset']).toContain(long);
  });

  test('says why it was not sent; what is unfit can be given again', async () => {
    const refusals = [rpcError('secret_unfit', 'ASCII only.'), rpcError('floor_held')];
    const secret = asking('k1', () => {
      const next = refusals.shift();
      return next === undefined
        ? Promise.resolve({ state: 'refused', why: 'echo is on' })
        : Promise.reject(next);
    });
    const url = await page.publish(secret);
    await page.publish(asking('other'));
    const unfit = await post(url, CANARY);
    expect([unfit.status, unfit.text.includes('ASCII only.')]).toEqual([400, true]);
    const held = await post(url, CANARY);
    expect([held.status, held.text.includes(CANARY)]).toEqual([409, false]);
    const third = await page.publish(asking('k3', async () => ({ state: 'refused', why: 'echo is on' })));
    const refused = await post(third, CANARY);
    expect([refused.status, refused.text.includes('echo is on')]).toEqual([409, true]);
  });

  test('I15 · is gone when nothing is asked for any more', async () => {
    const one = await page.publish(asking('k1'));
    const two = await page.publish(asking('k2'));
    page.withdraw('k1');
    expect((await call(one)).status).toBe(404);
    expect((await call(two)).status).toBe(200);
    page.withdraw('k2');
    await expect(call(two)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
    const again = await page.publish(asking('k3'));
    expect((await call(again)).status).toBe(200);
  });
});
