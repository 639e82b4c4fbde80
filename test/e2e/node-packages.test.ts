import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { packagesOf } from '#test/computer/sandbox-page/closure.ts';
import { openSandboxPage, type SandboxPage } from '#test/computer/sandbox-page/open.ts';
import { measureSuite } from '#test/soak/package-suites/measure.ts';
import { PACKAGE_SUITES } from '#test/soak/package-suites/suites.ts';

const modules = path.resolve('node_modules');
/** Packages measured by `npm run soak` that are installed here anyway. */
const SAMPLE = ['fast-json-stable-stringify', 'minimist', 'path-browserify'];

let page: SandboxPage;
beforeAll(async () => {
	page = await openSandboxPage();
	for (const name of packagesOf(modules, ['express', 'tape', ...SAMPLE])) {
		await page.load(path.join(modules, name), `/workspace/node_modules/${name}`);
	}
});
afterAll(() => page?.close());

it('serves a page with express', async () => {
	await page.exec(`mkdir -p public && echo '<p>a file</p>' > public/file.html && cat > app.js <<'EOT'
const express = require('express');
const app = express();
app.use(express.json());
app.use(express.static('public'));
app.get('/', (request, response) => response.send('<h1>It works</h1>'));
app.get('/notes/:id', (request, response) => response.json({ id: request.params.id, query: request.query }));
app.post('/echo', (request, response) => response.status(201).json(request.body));
app.get('/fails', () => { throw new Error('on purpose'); });
app.listen(3000);
EOT`);
	const port = await page.serve('node app.js');
	expect(port).toBe(3000);
	expect(await page.get(port, '/')).toEqual({ status: 200, text: '<h1>It works</h1>' });
	expect(await page.get(port, '/notes/4?a=b')).toEqual({ status: 200, text: '{"id":"4","query":{"a":"b"}}' });
	expect(await page.get(port, '/file.html')).toEqual({ status: 200, text: '<p>a file</p>\n' });
	expect(await page.get(port, '/nothing')).toMatchObject({ status: 404 });
	expect(await page.get(port, '/fails')).toMatchObject({ status: 500 });
	const client = `fetch('http://localhost:3000/echo', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '[1,2]' }).then(async (r) => console.log(r.status, await r.text()))`;
	expect(await page.exec(`node -e "${client}"`)).toMatchObject({ stdout: '201 [1,2]\n', stderr: '' });
});

it.each(SAMPLE)('passes the published tests of %s as Node does', async (name) => {
	const suite = PACKAGE_SUITES.find((known) => known.name === name);
	if (!suite) throw new Error(`${name} is not among the suites`);
	const { native, sandbox, short } = await measureSuite(suite, modules, page);
	expect(native).toBeGreaterThan(10);
	expect(short).toEqual([]);
	expect(sandbox).toBe(native);
});
