import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { violationsInBothThemes } from './axe.ts';
import { messageBox, openFiles } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let page: Page;
beforeAll(async () => {
	world = await openWorld();
	({ page } = await world.newProfile());
	await page.goto(world.url);
});
afterAll(() => world.close());

const panel = () => page.getByRole('region', { name: 'Start the project' });
const project = (server: string) => ({
	'package.json': JSON.stringify({ type: 'commonjs', scripts: { dev: 'node server.js' } }),
	'server.js': server
});

it('starts the server of a project, waits for its port and shows it; the server can be stopped', async () => {
	const server = `console.log('getting ready');
		const { existsSync } = require('node:fs');
		const timer = setInterval(() => {
			if (!existsSync('go.txt')) return;
			clearInterval(timer);
			require('node:http').createServer((_, response) => {
				response.setHeader('content-type', 'text/html');
				response.end('<h1>It runs</h1>');
			}).listen(4100);
		}, 50);`;
	await openFiles(page, project(server));
	await page.getByRole('tab', { name: 'Preview' }).click();
	await panel().getByRole('button', { name: 'Start', exact: true }).click();
	await panel().getByRole('listitem').filter({ hasText: 'Wait for its port' }).and(page.locator('.busy')).waitFor();
	await panel().getByRole('status').getByText('getting ready').waitFor();
	expect(await violationsInBothThemes(page)).toEqual([]);
	await page.evaluate(() => window.sandglass!.environment!.writeFile('go.txt', ''));
	await page.getByRole('textbox', { name: 'Address' }).waitFor();
	await expect.poll(() => page.getByRole('textbox', { name: 'Address' }).inputValue()).toBe('localhost:4100/');
	await page.getByRole('button', { name: 'Close the document' }).click();
	await page.getByText('npm run dev is running.').waitFor();
	await page.getByRole('button', { name: 'Stop', exact: true }).click();
	await page.getByText('Start a dev server and it appears here.').waitFor();
});

it('shows why it did not start, and hands that to the agent', async () => {
	await openFiles(page, project(`console.error('no database'); process.exit(7);`));
	await page.getByRole('tab', { name: 'Preview' }).click();
	await panel().getByRole('button', { name: 'Start', exact: true }).click();
	await panel().getByRole('alert').getByText('The command ended with exit code').waitFor();
	await panel().getByText('no database').waitFor();
	await panel().getByRole('button', { name: 'Try again' }).waitFor();
	expect(await violationsInBothThemes(page)).toEqual([]);
	await panel().getByRole('button', { name: 'Send to the agent' }).click();
	await expect.poll(() => messageBox(page).inputValue()).toContain('no database');
});
