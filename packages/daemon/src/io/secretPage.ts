/**
 * The page on which a person gives a secret: an HTTP server on the loopback, on a port of chance, there only while a secret is
 * asked for. Its link cannot be guessed and takes one secret. A web page of somebody else's must not be able to post to it, nor
 * to read it through a name that points here (DNS rebinding): Host and Origin are checked.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RpcError } from '@pidp10/protocol/errors';
import { MAX_SECRET_CHARS, secretValue } from '@pidp10/protocol/secretSchemas';
import { type PageFacts, toNotePage, toQuestionPage } from './secretPageText.ts';

/** Bytes of a form: the longest secret, each character written as %XX of four bytes, and its name. */
export const MAX_FORM_BYTES = MAX_SECRET_CHARS * 12 + 64;
/** Connections at a time: a browser opens some ahead. */
export const MAX_PAGE_CONNECTIONS = 16;
/** A request that is not whole after so long, in ms, is given up. */
const REQUEST_MS = 10_000;
/** Bytes of the part of the link that nobody can guess. */
const TOKEN_BYTES = 32;
const HOST = '127.0.0.1';
const PATH = '/secret/';

export interface PublishedSecret extends Omit<PageFacts, 'lastLine'> {
  readonly id: string;
  lastLine(): string;
  /** Rejects with an RpcError whose message is for people. */
  give(value: string): Promise<{ readonly state: 'sent' | 'refused'; readonly why?: string | undefined }>;
}

interface Reply {
  readonly status: number;
  readonly title: string;
  readonly note: string;
}

const GONE: Reply = {
  status: 404,
  title: 'Nothing is asked for here',
  note: 'The link was used, has expired, or was withdrawn. Whoever needs the secret has to ask for it anew.',
};

export class SecretPage implements AsyncDisposable {
  readonly #published = new Map<string, PublishedSecret>();
  #server: Server | undefined;
  /** The server's own address, `host:port`. */
  #listening: Promise<string> | undefined;

  /** Resolves with the link. Rejects when no port can be had. */
  async publish(secret: PublishedSecret): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString('base64url');
    this.#published.set(token, secret);
    try {
      this.#listening ??= this.#listen();
      return `http://${await this.#listening}${PATH}${token}`;
    } catch (error) {
      this.withdraw(secret.id);
      throw error;
    }
  }

  withdraw(id: string): void {
    for (const [token, secret] of this.#published) if (secret.id === id) this.#published.delete(token);
    if (this.#published.size > 0) return;
    // What is being answered is answered; its connection ends with it.
    this.#server?.close();
    this.#server?.closeIdleConnections();
    this.#server = undefined;
    this.#listening = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#published.clear();
    const server = this.#server;
    this.#server = undefined;
    this.#listening = undefined;
    if (server === undefined) return;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  }

  #listen(): Promise<string> {
    const server = createServer(
      { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS },
      (request, response) => {
        // Whatever goes wrong with one request ends that one, without a word of what was in it.
        this.#answer(request, response).catch(() => response.destroy());
      },
    );
    server.maxConnections = MAX_PAGE_CONNECTIONS;
    this.#server = server;
    return new Promise((resolve, reject) => {
      server.on('error', reject);
      server.once('close', () => reject(new Error('withdrawn before it was there')));
      server.listen(0, HOST, () => {
        const { port } = server.address() as AddressInfo;
        resolve(`${HOST}:${port}`);
      });
    });
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url = '', headers } = request;
    const host = `${HOST}:${request.socket.localPort}`;
    if (headers.host !== host) return reply(response, { ...GONE, status: 421 });
    const token = url.startsWith(PATH) ? url.slice(PATH.length) : '';
    const secret = this.#published.get(token);
    if (secret === undefined) return reply(response, GONE);
    if (method === 'GET' || method === 'HEAD') return question(response, secret);
    if (method !== 'POST') {
      response.setHeader('Allow', 'GET, HEAD, POST');
      return reply(response, { status: 405, title: 'Not here', note: 'Open the link in a browser.' });
    }
    const isForm = headers['content-type']?.split(';')[0]?.trim() === 'application/x-www-form-urlencoded';
    if (headers.origin !== `http://${host}` || !isForm) {
      const note = 'The form must be sent from the page itself. Nothing was taken.';
      return reply(response, { status: 403, title: 'Refused', note });
    }
    const form = await readForm(request);
    if (form === undefined) {
      const note = `A secret has ${MAX_SECRET_CHARS} characters at most. Nothing was sent.`;
      return reply(response, { status: 413, title: 'Too long', note });
    }
    await this.#give(response, token, form);
  }

  async #give(response: ServerResponse, token: string, form: string): Promise<void> {
    const secret = this.#published.get(token);
    if (secret === undefined) return reply(response, GONE);
    const parsed = secretValue.safeParse(new URLSearchParams(form).get('secret') ?? '');
    if (!parsed.success) {
      return question(
        response,
        secret,
        `Nothing was sent: ${parsed.error.issues[0]?.message ?? 'it is unfit'}.`,
      );
    }
    // Once: from here on the link is another's who has it no more.
    this.#published.delete(token);
    try {
      const { state, why } = await secret.give(parsed.data);
      const note = 'It was typed. You can close this page.';
      reply(
        response,
        state === 'sent'
          ? { status: 200, title: 'Done', note }
          : { status: 409, title: 'Not sent', note: why ?? 'It was refused.' },
      );
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const isUnfit = error.data['name'] === 'secret_unfit';
      if (!isUnfit) return reply(response, { status: 409, title: 'Not sent', note: error.message });
      this.#published.set(token, secret);
      question(response, secret, error.message);
    }
  }
}

function question(response: ServerResponse, secret: PublishedSecret, note?: string): void {
  const nonce = randomBytes(16).toString('base64url');
  const facts = { ...secret, lastLine: secret.lastLine() };
  const options = { nonce, maxChars: MAX_SECRET_CHARS, ...(note !== undefined && { note }) };
  send(response, note === undefined ? 200 : 400, nonce, toQuestionPage(facts, options));
}

function reply(response: ServerResponse, { status, title, note }: Reply): void {
  const nonce = randomBytes(16).toString('base64url');
  send(response, status, nonce, toNotePage(nonce, title, note));
}

function send(response: ServerResponse, status: number, nonce: string, html: string): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
    'Cache-Control': 'no-store',
    // Not no-referrer: with that, browsers send the page's own form with `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    Connection: 'close',
  });
  response.end(response.req.method === 'HEAD' ? undefined : html);
}

/** Undefined when it is longer than any form of ours. */
async function readForm(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_FORM_BYTES) return undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > MAX_FORM_BYTES) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
