import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openFiles, timelineOf, watchDemo } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
	world = await openWorld();
});
afterAll(() => world.close());

declare global {
	interface Window {
		violations?: string[];
	}
}

/** Collects violations of the page's policies, in the document and, from the browser's messages, in workers. */
async function watchPolicies(page: Page): Promise<() => Promise<string[]>> {
	const printed: string[] = [];
	page.on('console', (message) => {
		if (/Content Security Policy|Trusted(HTML|Script|ScriptURL)|Permissions.Policy/i.test(message.text()))
			printed.push(message.text());
	});
	await page.addInitScript(() => {
		window.violations = [];
		addEventListener('securitypolicyviolation', ({ violatedDirective, sourceFile, sample }) =>
			window.violations?.push(`${violatedDirective} ${sourceFile} ${sample}`)
		);
	});
	return async () => [...(await page.evaluate(() => window.violations ?? ['not watched'])), ...printed];
}

it('runs the demo, the terminal, the editor, previews and its service worker without breaking its own policies', async () => {
	const { page, errors } = await world.newProfile({ keepsPage: true });
	const violations = await watchPolicies(page);
	await page.goto(world.url);
	await watchDemo(page);
	await page.getByRole('tab', { name: 'Terminal' }).click();
	await page.locator('.xterm-screen').first().waitFor();
	await page.locator('.xterm-screen').first().click();
	await page.keyboard.type('echo typed-$((40 + 2))\n');
	await expect.poll(() => page.locator('.xterm-rows').first().innerText()).toContain('typed-42');
	for (const name of ['Changes', 'Network', 'Files']) await page.getByRole('tab', { name }).first().click();
	await page.getByRole('treeitem', { name: /package\.json/ }).click();
	await page.locator('.cm-content').first().waitFor();
	// Markdown in the page, containing code that must be removed.
	await expect.poll(() => timelineOf(page).locator('.markdown .block p').count()).toBeGreaterThan(0);
	await openFiles(page, {
		'index.html':
			'<!doctype html><p id="shown"></p><script src="a.js"></script><script>a()</script><script type="module" src="b.js"></script><img src="c.svg" alt="">',
		'a.js': 'const a = () => document.getElementById("shown").append("A shown ");',
		'b.js': 'document.getElementById("shown").append("document");',
		'c.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>'
	});
	await page.getByRole('tab', { name: 'Preview' }).click();
	await page.getByRole('button', { name: 'Show preview' }).click();
	await page.frameLocator('iframe[src="/preview-frame"]').getByText('A shown document').waitFor();
	await page.evaluate(() => navigator.serviceWorker.ready);
	expect(await violations()).toEqual([]);
	expect(errors).toEqual([]);
});

it('lets no string of its own become markup, a script or a worker', async () => {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	await page.getByRole('button', { name: 'Watch the demo' }).waitFor();
	// It creates the policy of the storage's worker.
	await expect.poll(() => page.workers().length).toBeGreaterThan(0);
	const attempts = await page.evaluate(() => {
		const attempt = (run: () => unknown): string => {
			try {
				run();
				return 'done';
			} catch (error) {
				return error instanceof Error ? error.name : 'thrown';
			}
		};
		const element = document.createElement('div');
		const script = document.createElement('script');
		return {
			innerHTML: attempt(() => (element.innerHTML = '<img src=x onerror=alert(1)>')),
			insertAdjacentHTML: attempt(() => element.insertAdjacentHTML('beforeend', '<b>')),
			srcdoc: attempt(() => (document.createElement('iframe').srcdoc = '<script>alert(1)</script>')),
			script: attempt(() => (script.src = '/assets/x.js')),
			text: attempt(() => (script.textContent = 'alert(1)')),
			worker: attempt(() => new Worker('/assets/x.js')),
			write: attempt(() => document.write('<b>')),
			attribute: attempt(() => element.setAttribute('onclick', 'alert(1)')),
			policy: attempt(() => trustedTypes?.createPolicy('anything', { createHTML: (text: string) => text })),
			// One policy per name: another script cannot create a more permissive one.
			second: attempt(() => trustedTypes?.createPolicy('sandglass-storage', { createScriptURL: (url: string) => url }))
		};
	});
	expect(new Set(Object.values(attempts))).toEqual(new Set(['TypeError']));
});

it('has no use of the camera, of places or of devices, nor have its frames', async () => {
	const { page } = await world.newProfile();
	await page.goto(world.url);
	const allowed = await page.evaluate(async () => {
		const frame = document.createElement('iframe');
		frame.src = '/preview-frame';
		frame.allow = 'camera; geolocation; usb; clipboard-read';
		frame.sandbox.add('allow-scripts');
		const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
		document.body.append(frame);
		await loaded;
		const features = ['camera', 'microphone', 'geolocation', 'usb', 'serial', 'payment', 'clipboard-write'];
		type Policy = { allowsFeature(feature: string): boolean };
		const { featurePolicy } = document as Document & { featurePolicy: Policy };
		return features.filter((feature) => featurePolicy.allowsFeature(feature));
	});
	expect(allowed).toEqual(['clipboard-write']);
	const frame = page.frames().find((each) => each.url().includes('/preview-frame'))!;
	const inFrame = await frame.evaluate(() => {
		const { featurePolicy } = document as Document & { featurePolicy: { allowedFeatures(): string[] } };
		return featurePolicy.allowedFeatures();
	});
	for (const feature of ['camera', 'geolocation', 'usb', 'clipboard-read']) expect(inFrame).not.toContain(feature);
});
