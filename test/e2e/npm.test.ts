import path from 'node:path';
import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { FixtureRegistry } from '#test/computer/npm/fixture-registry.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let registry: FixtureRegistry;
beforeAll(async () => {
	registry = await new FixtureRegistry().start();
	registry.publishInstalled('express', path.resolve('.'));
	world = await openWorld({ NPM_REGISTRY: registry.url });
});
afterAll(async () => {
	await world?.close();
	await registry?.close();
});

const run = (page: Page, command: string) =>
	page.evaluate((text) => window.sandglass!.environment!.exec(text, { timeoutMs: 60_000 }), command);

it('installs express after one question, runs it, and has its files for the next project', async () => {
	const { page, errors } = await world.newProfile();
	const open = async () => {
		await page.goto(world.url);
		const files = { 'package.json': '{ "name": "site", "version": "1.0.0" }' };
		await page.evaluate((project) => window.sandglass!.importRepository({ files: project }), files);
		const terminal = page.locator('textarea.xterm-helper-textarea').first();
		await terminal.focus();
		const installing = run(page, 'npm install express');
		await page.getByRole('group', { name: 'Network' }).getByRole('button', { name: 'Allow', exact: true }).click();
		// The focus stays where the user was typing.
		await expect.poll(() => terminal.evaluate((element) => document.activeElement === element)).toBe(true);
		return installing;
	};
	const first = await open();
	expect(first.stderr).toBe('');
	expect(first.stdout).toMatch(/^\nadded \d+ packages in \d+m?s\n$/);
	const ran = await run(page, `node -e "console.log(typeof require('express')().listen)"`);
	expect(ran).toMatchObject({ stdout: 'function\n', exitCode: 0 });
	expect((await run(page, 'npm ls')).stdout).toMatch(/site@1\.0\.0 \/workspace\n└── express@\d/);

	const tarballs = () => registry.requests.filter((url) => url.endsWith('.tgz')).length;
	expect(tarballs()).toBeGreaterThan(20);
	const fetched = tarballs();
	const second = await open();
	expect(second.stdout).toBe(first.stdout.replace(/in .*/, second.stdout.match(/in .*/)![0]));
	expect(tarballs()).toBe(fetched);
	expect(errors).toEqual([]);
});
