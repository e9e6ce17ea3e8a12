/** A recording in asciinema's own player, in a page of a real browser: what somebody sees who is sent the file. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { z } from 'zod';
import type { Chromium, Page } from './chromium.ts';
import { eventually } from './processes.ts';

const require = createRequire(import.meta.url);
const SCRIPT = require.resolve('asciinema-player/dist/bundle/asciinema-player.min.js');
const STYLE = require.resolve('asciinema-player/dist/bundle/asciinema-player.css');
/** So many times faster than it was recorded: the pauses of a session are long, and nobody watches. */
const SPEED = 20;

const PAGE = `<!doctype html><meta charset="utf-8"><link rel="stylesheet" href="/player.css"><div id="player"></div>
<script src="/player.js"></script><script>
const options = { preload: true, fit: 'none', cursorMode: 'steady', speed: ${SPEED} };
const player = AsciinemaPlayer.create('/session.cast', document.getElementById('player'), options);
const ended = new Promise((resolve) => player.addEventListener('ended', resolve));
// The screen is painted with the next frame; behind the one after it, it is there.
const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
async function shown() {
  await frame();
  await frame();
  const rows = [...document.querySelectorAll('.ap-term-text > .ap-line')].map((line) => {
    let text = '';
    for (const span of line.children)
      text = text.padEnd(Number(span.style.getPropertyValue('--offset'))) + span.textContent;
    return text.trimEnd();
  });
  // Backgrounds are on a canvas below the text; on a screen without colours the cursor alone has one.
  const canvas = document.querySelector('.ap-term canvas');
  const { width, height } = canvas;
  const columns = Number(getComputedStyle(canvas).getPropertyValue('--term-cols'));
  const cell = { width: width / columns, height: height / rows.length };
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const filled = [];
  for (let row = 0; row < rows.length; row += 1)
    for (let column = 0; column < columns; column += 1) {
      const [x, y] = [(column + 0.5) * cell.width, (row + 0.5) * cell.height].map(Math.floor);
      if (data[(y * width + x) * 4 + 3] > 0) filled.push({ row, column });
    }
  return { size: { rows: rows.length, columns }, rows, filled };
}
</script>`;

const shownSchema = z.object({
  size: z.object({ rows: z.number(), columns: z.number() }),
  rows: z.array(z.string()),
  /** Cells with a background: the cursor's. */
  filled: z.array(z.object({ row: z.number(), column: z.number() })),
});
type Shown = z.infer<typeof shownSchema>;

export class AsciinemaPlayer implements AsyncDisposable {
  readonly #server: Server;
  readonly #page: Page;

  private constructor(server: Server, page: Page) {
    this.#server = server;
    this.#page = page;
  }

  /** A page that has loaded the recording (text of a file `.cast`) and shows its beginning. */
  static async load(chromium: Chromium, cast: string): Promise<AsciinemaPlayer> {
    const files: Record<string, readonly [type: string, text: string | Buffer]> = {
      '/': ['text/html', PAGE],
      '/player.js': ['text/javascript', readFileSync(SCRIPT)],
      '/player.css': ['text/css', readFileSync(STYLE)],
      '/session.cast': ['application/x-asciicast', cast],
    };
    const server = createServer(({ url = '' }, response) => {
      const [type, text] = files[url] ?? ['text/plain', ''];
      response.writeHead(url in files ? 200 : 404, { 'content-type': type, connection: 'close' }).end(text);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const page = await chromium.open(`http://127.0.0.1:${port}/`);
    const player = new AsciinemaPlayer(server, page);
    const isLoaded = "document.readyState === 'complete' && player.getDuration() > 0";
    await eventually('the recording in the player', async () => (await page.evaluate(isLoaded)) === true);
    return player;
  }

  /** Plays from where it is to the end. */
  async playToEnd(): Promise<Shown> {
    return this.#shownAfter('player.play().then(() => ended)');
  }

  /** The screen at the marker with this number, counted from 0. */
  async seekMarker(index: number): Promise<Shown> {
    return this.#shownAfter(`player.seek({ marker: ${index} })`);
  }

  async #shownAfter(what: string): Promise<Shown> {
    return shownSchema.parse(await this.#page.evaluate(`${what}.then(shown)`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }
}
