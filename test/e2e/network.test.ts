import { createServer, type Server } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startListener, type Listener } from './attack.ts';
import { violationsInBothThemes } from './axe.ts';
import { agentIs, watchDemo } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let allowed: Listener;
let unwanted: Listener;
let redirecting: Server;
let moved: string;
let outside: string;
let elsewhere: string;
beforeAll(async () => {
	[allowed, unwanted] = [await startListener(), await startListener()];
	// 127.0.0.1 is the sandbox itself for its programs: hosts outside have names.
	outside = allowed.url.replace('127.0.0.1', 'outside.test');
	elsewhere = unwanted.url.replace('127.0.0.1', 'elsewhere.test');
	const hosts = [outside, elsewhere].map((url) => new URL(url).host);
	const lookup: LookupFunction = (_name, options, answer) =>
		options.all ? answer(null, [{ address: '127.0.0.1', family: 4 }]) : answer(null, '127.0.0.1', 4);
	redirecting = createServer((request, response) => {
		request.resume();
		response.writeHead(302, { location: elsewhere + request.url }).end();
	});
	await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve));
	const { port } = redirecting.address() as AddressInfo;
	moved = `moved.test:${port}`;
	hosts.push(moved);
	world = await openWorld(
		{
			SANDGLASS_ALLOW_HOSTS: hosts.join(','),
			SANDGLASS_ARCHIVE_HOSTS: `${moved}=http://${moved}/{path}/archive/{ref}.tar.gz`,
			NPM_REGISTRY: `${outside}/npm/`
		},
		[],
		lookup
	);
});
afterAll(async () => {
	redirecting.close();
	await Promise.all([world.close(), allowed.close(), unwanted.close()]);
});

const run = (page: Page, command: string) =>
	page.evaluate((text) => window.sandglass!.environment!.exec(text, { timeoutMs: 60_000 }), command);
/** `GET /path`, as recorded by the listener. */
const listed = (page: Page) =>
	page
		.getByRole('region', { name: 'Requests' })
		.locator('.url')
		.allInnerTexts()
		.then((rows) =>
			rows.map((row) => {
				const [method = '', address = ''] = row.split(' ');
				const { pathname, search } = new URL(address);
				return `${method} ${pathname}${search}`;
			})
		);

it('lists each request of the sandbox’s programs exactly once, as the host that was asked counts them', async () => {
	const { page, errors } = await world.newProfile();
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'package.json': '{ "name": "x" }' } }));
	await page.getByRole('tab', { name: 'Network' }).click();
	await page.getByText('No requests yet').waitFor();
	await page.getByText('No host is allowed without a question.').waitFor();

	const url = outside;
	const fetching = run(page, `node -e "fetch('${url}/node').then(async (r) => console.log(await r.text()))"`);
	const prompt = page.getByRole('group', { name: 'Network' });
	await prompt.getByText(`${url}/node`).waitFor();
	await page.getByRole('region', { name: 'Requests' }).getByText('asks', { exact: true }).waitFor();
	expect(allowed.hits).toEqual([]);
	await prompt.getByRole('button', { name: 'Allow', exact: true }).click();
	expect((await fetching).stdout).toBe('hit\n');

	const fetchInNode = (address: string, options = '{}') =>
		run(page, `node -e "fetch('${address}', ${options}).catch(() => process.exit(1))"`);
	await fetchInNode(`${url}/posted`, "{ method: 'POST', body: 'body' }");
	await run(page, `node -e "require('http').get('${url}/http', (r) => r.resume())"`);
	await run(page, `git clone ${url}/repository.git clone`);
	await run(page, `npm install --registry=${url}/npm/ nothing-of-that-name`);
	const hasCurl = (await run(page, 'command -v curl')).exitCode === 0;
	if (hasCurl) await run(page, `curl -s ${url}/curl`);

	const refusing = fetchInNode(`${elsewhere}/refused`);
	await prompt.getByText(`${elsewhere}/refused`).waitFor();
	await prompt.getByRole('button', { name: 'Deny' }).click();
	expect((await refusing).exitCode).not.toBe(0);
	await fetchInNode('http://10.0.0.1/private');
	expect(unwanted.hits).toEqual([]);
	await expect.poll(() => prompt.count()).toBe(0);

	const filter = page.getByRole('combobox', { name: 'Which requests' });
	await filter.selectOption('allowed');
	await expect.poll(async () => (await listed(page)).toSorted()).toEqual(allowed.hits.toSorted());
	const paths = [
		'/node',
		'/posted',
		'/http',
		'/repository.git/info/refs',
		'/npm/nothing-of-that-name',
		...(hasCurl ? ['/curl'] : [])
	];
	for (const path of paths) expect([path, allowed.hits.filter((hit) => hit.includes(path)).length]).toEqual([path, 1]);
	await filter.selectOption('refused');
	await expect.poll(() => listed(page)).toEqual(['GET /private', 'GET /refused']);
	await filter.selectOption('all');
	await page.getByRole('searchbox', { name: 'Search the requests' }).fill('post');
	await expect.poll(() => listed(page)).toEqual(['POST /posted']);
	await page.getByText('4 B sent, 3 B received').waitFor();
	await page.getByText(/^1 of \d+ requests$/).waitFor();

	// A revoked permission is requested again.
	await page.getByRole('button', { name: `Ask again before reaching ${new URL(url).host}` }).click();
	const again = fetchInNode(`${url}/again`);
	await prompt.getByRole('radio', { name: 'Once' }).check();
	await prompt.getByRole('button', { name: 'Allow', exact: true }).click();
	expect((await again).exitCode).toBe(0);
	await page.getByText('No host is allowed without a question.').waitFor();
	expect(errors).toEqual([]);
});

it('allows a host always, with the project’s other rules, until that is taken back', async () => {
	const { page, errors } = await world.newProfile();
	await page.goto(world.url);
	await watchDemo(page);
	const fetching = (path: string) =>
		run(page, `node -e "fetch('${outside}/${path}').then((r) => r.text()).then(console.log, () => process.exit(1))"`);
	const first = fetching('always');
	const prompt = page.getByRole('group', { name: 'Network' });
	await expect.poll(() => prompt.getByRole('radio', { name: 'This session' }).isChecked()).toBe(true);
	expect(await violationsInBothThemes(page)).toEqual([]);
	await prompt.press('3');
	expect(await prompt.getByRole('radio', { name: 'Always' }).isChecked()).toBe(true);
	await prompt.press('y');
	expect((await first).stdout).toBe('hit\n');

	await page.reload();
	await agentIs(page, 'idle');
	expect((await fetching('later')).stdout).toBe('hit\n');
	await page.getByRole('tab', { name: 'Network' }).click();
	await page.getByRole('button', { name: `Ask again before reaching ${new URL(outside).host}` }).click();
	const asked = fetching('asked');
	await prompt.getByRole('button', { name: 'Deny' }).click();
	expect((await asked).exitCode).toBe(1);
	expect(errors).toEqual([]);
});

it('asks for each host that an allowed one redirects to, and writes it down', async () => {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'package.json': '{ "name": "x" }' } }));
	await page.getByRole('tab', { name: 'Network' }).click();
	const prompt = page.getByRole('group', { name: 'Network' });
	unwanted.hits.length = 0;
	for (const [command, path] of [
		[`git clone http://${moved}/r.git`, '/r.git/info/refs?service=git-upload-pack'],
		[`npm install --registry=http://${moved}/ moved-package`, '/moved-package']
	] as const) {
		const running = run(page, command);
		const first = prompt.filter({ hasText: `http://${moved}${path}` });
		await first.press('1');
		await first.press('y');
		const second = prompt.filter({ hasText: elsewhere + path });
		await second.getByRole('button', { name: 'Deny' }).click();
		expect((await running).exitCode, command).not.toBe(0);
	}
	expect(unwanted.hits).toEqual([]);
	expect((await listed(page)).filter((line) => line.includes('/moved-package') || line.includes('/r.git'))).toEqual([
		'GET /moved-package',
		'GET /moved-package',
		'GET /r.git/info/refs?service=git-upload-pack',
		'GET /r.git/info/refs?service=git-upload-pack'
	]);
	await page.getByRole('combobox', { name: 'Which requests' }).selectOption('refused');
	await expect.poll(() => listed(page)).toEqual(['GET /moved-package', 'GET /r.git/info/refs?service=git-upload-pack']);
});

it('asks for the host that an archive is redirected to, before anything of it is imported', async () => {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	unwanted.hits.length = 0;
	await page.getByRole('textbox', { name: 'Git URL' }).fill(`http://${moved}/owner/repo`);
	await page.getByRole('button', { name: 'Import', exact: true }).click();
	const prompt = page.getByRole('group', { name: 'Network' });
	await prompt
		.filter({ hasText: `${elsewhere}/owner/repo/archive/` })
		.getByRole('button', { name: 'Deny' })
		.click();
	await page.getByRole('alert').waitFor();
	expect(unwanted.hits).toEqual([]);
});
