import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Locator, Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthority } from '#server/machines/authority.ts';
import { addPackages, missingPackages } from '#test/server/machines/debian-root.ts';
import { IMAGE, startDaemon, type Daemon } from '#test/server/machines/docker-daemon.ts';
import { startListener, type Listener } from './attack.ts';
import { violationsInBothThemes } from './axe.ts';
import { startProductProcess } from './product-process.ts';
import { openFiles, run } from './steps.ts';
import { openWorldOf, type World } from './world.ts';

const TOKEN = 'a-token-of-this-test-0123456789';
const missing = await missingPackages('curl');
const started = missing === undefined ? await startDaemon((root) => addPackages(root, 'curl')) : { reason: missing };
const reason = 'reason' in started ? started.reason : undefined;

/** A real page, a real container without a network, and hosts outside that record requests. */
describe.skipIf(reason !== undefined)(
	`a program in a container${reason === undefined ? '' : ` (skipped: ${reason})`}`,
	() => {
		const daemon = started as Daemon;
		const listeners: Listener[] = [];
		let directory: string;
		let world: World;
		let page: Page;
		let errors: string[];

		beforeAll(async () => {
			directory = mkdtempSync(path.join(tmpdir(), 'sandglass-machine-network-'));
			const authority = await createAuthority();
			const authorities = path.join(directory, 'authorities.pem');
			writeFileSync(authorities, authority.certificate);
			listeners.push(await startListener(), await startListener(authority));
			const env = {
				SANDGLASS_DOCKER: daemon.socket,
				SANDGLASS_MACHINE_IMAGE: IMAGE,
				SANDGLASS_MACHINE_MEMORY: '512m',
				SANDGLASS_TOKEN: TOKEN,
				SANDGLASS_ALLOW_HOSTS: listeners.map(({ url }) => new URL(outside(url)).host).join(',')
			};
			world = await openWorldOf((settings) => startProductProcess({ ...env, ...settings }, authorities));
			({ page, errors } = await world.newProfile());
			await page.goto(world.url);
			const dialog = page.getByRole('dialog', { name: 'Enter this server’s access token' });
			await dialog.getByLabel('Token', { exact: true }).fill(TOKEN);
			await dialog.getByRole('button', { name: 'Open' }).click();
			await openFiles(page, { 'a.txt': 'from the tab\n' });
			await page.getByRole('button', { name: 'Where this session runs: This tab' }).click();
			const machines = page.getByRole('dialog', { name: 'Where this session runs' });
			await machines.getByRole('button', { name: 'Move here' }).click();
			await page.getByRole('button', { name: 'Where this session runs: Bigger machine' }).waitFor();
			expect(await run(page, 'cat a.txt; ls /sys/class/net')).toBe('from the tab\nlo\n');
			await page.getByRole('tab', { name: 'Network' }).click();
		}, 300_000);

		afterAll(async () => {
			await world?.close();
			await Promise.all(listeners.map((listener) => listener.close()));
			await daemon.stop();
			rmSync(directory, { recursive: true, force: true });
		}, 120_000);

		const question = (): Locator => page.getByRole('group', { name: 'Network' });
		/** Row in the list of requests. */
		const line = (url: string): Locator =>
			page.getByRole('region', { name: 'Requests' }).locator('li').filter({ hasText: url });

		it.each(['http', 'https'])('asks the person about a host by %s, who allows it or does not', async (protocol) => {
			const listener = listeners.find(({ url }) => new URL(url).protocol === `${protocol}:`)!;
			const allowed = outside(listener.url);
			const command = (url: string): string => `curl -sS -w ' %{http_code}' ${url}`;

			const first = run(page, command(`${allowed}/denied`));
			await question().getByText(`${allowed}/denied`).waitFor();
			await question()
				.getByText(`Let a program on the machine reach ${new URL(allowed).host}?`)
				.waitFor();
			expect(await violationsInBothThemes(page)).toEqual([]);
			await question().getByRole('button', { name: 'Deny' }).click();
			expect(await first).toBe(
				`${new URL(allowed).host} was not allowed. Allow it when asked, and run the command again.\n 403`
			);
			expect(listener.hits).toEqual([]);

			const second = run(page, command(`${allowed}/allowed`));
			await question().getByText(`${allowed}/allowed`).waitFor();
			expect(listener.hits).toEqual([]);
			await question().getByRole('button', { name: 'Allow', exact: true }).click();
			expect(await second).toBe('hit 200');
			expect(await run(page, command(`${allowed}/again`))).toBe('hit 200');
			expect(listener.hits).toEqual(['GET /allowed', 'GET /again']);
			await expect.poll(() => question().count()).toBe(0);
			await line(`${allowed}/denied`).locator('.outcome', { hasText: 'denied' }).waitFor();
			for (const name of ['allowed', 'again'])
				await line(`${allowed}/${name}`).locator('.outcome', { hasText: '200' }).waitFor();
			expect(errors).toEqual([]);
		});

		it('is shown with what it uses of its processors and its memory', async () => {
			await page.getByRole('button', { name: 'Where this session runs: Bigger machine' }).click();
			const machines = page.getByRole('dialog', { name: 'Where this session runs' });
			const used = async (name: string): Promise<number> =>
				Number(await machines.getByRole('meter', { name }).getAttribute('value'));
			await expect.poll(() => used('Memory'), { timeout: 20_000 }).toBeGreaterThan(100_000);
			expect(await used('Memory')).toBeLessThan(512 * 1024 * 1024);
			const busy = run(page, 'end=$(($(date +%s) + 8)); while [ $(date +%s) -lt $end ]; do :; done');
			await expect.poll(() => used('CPU'), { timeout: 20_000 }).toBeGreaterThan(0.1);

			await machines.locator('.value', { hasText: 'of 537 MB' }).waitFor();
			expect(await violationsInBothThemes(page)).toEqual([]);
			await page.keyboard.press('Escape');
			await busy;
			expect(errors).toEqual([]);
		});

		it('gets nowhere past the question', async () => {
			const [plain] = listeners;
			const before = plain!.hits.length;
			const { port } = new URL(plain!.url);
			const status = (options: string, url: string): Promise<string> =>
				run(page, `curl -s -o /dev/null -m 10 -w '%{http_code}' ${options} ${url}/past; true`);
			expect(await status("--noproxy '*'", outside(plain!.url))).toBe('000');
			expect(await status("--noproxy '*'", plain!.url)).toBe('000');
			expect(await status('', `http://10.0.0.1:${port}`)).toBe('403');
			expect(await status('--noproxy 127.0.0.2', `http://127.0.0.2:${port}`)).toBe('000');
			expect(plain!.hits.length).toBe(before);
			expect(await question().count()).toBe(0);
		});
	}
);

/** URL of a listener by host name: for programs, 127.0.0.1 is their own machine. */
const outside = (url: string): string => url.replace('127.0.0.1', 'outside.test');
