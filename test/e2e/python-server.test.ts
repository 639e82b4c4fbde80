import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFiles, openTerminal } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let page: Page;
beforeAll(async () => {
	world = await openWorld();
	({ page } = await world.newProfile());
	page.setDefaultTimeout(90_000);
	await page.goto(world.url);
});
afterAll(() => world.close());

const SERVER = `from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
import json
notes = []
class Notes(BaseHTTPRequestHandler):
    def answer(self, kind, body):
        self.send_response(200); self.send_header('Content-Type', kind); self.send_header('Content-Length', str(len(body))); self.end_headers(); self.wfile.write(body)
    def do_GET(self):
        page = '<!doctype html><h1>Notes of Python</h1><button>Add</button><ul></ul><script>document.querySelector("button").onclick = async () => { const all = await (await fetch("/add", { method: "POST", body: "note" })).json(); document.querySelector("ul").innerHTML = all.map((each) => "<li>" + each).join("") }</script>'
        self.answer('text/html', page.encode())
    def do_POST(self):
        notes.append(self.rfile.read(int(self.headers['Content-Length'])).decode() + str(len(notes) + 1))
        self.answer('application/json', json.dumps(notes).encode())
ThreadingHTTPServer(('localhost', 8000), Notes).serve_forever()
`;

it('shows a server in Python, from the terminal to the preview, until Ctrl-C', async () => {
	await openFiles(page, { 'notes.py': SERVER });
	const terminal = await openTerminal(page);
	await terminal.type('python3 notes.py\n');
	await page.getByRole('button', { name: 'Open port 8000' }).first().click();
	const frame = page.frameLocator('iframe[title="Server on port 8000"]').frameLocator('iframe');
	await frame.getByRole('heading', { name: 'Notes of Python' }).waitFor();
	await frame.getByRole('button', { name: 'Add' }).click();
	await frame.getByText('note1').waitFor();
	await frame.getByRole('button', { name: 'Add' }).click();
	await frame.getByText('note2').waitFor();

	await openTerminal(page);
	await terminal.shows(/"POST \/add HTTP\/1.1" 200/);
	await page.keyboard.press('Control+c');
	await terminal.shows(/KeyboardInterrupt/);
	await terminal.type('curl -s localhost:8000; echo "status $?"\n');
	await terminal.shows(/\nstatus 7/);
	expect(await page.getByRole('button', { name: 'Open port 8000' }).count()).toBe(0);
});
