import type { Page } from 'playwright';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ScenarioTurn } from '#llm/scenario/types.ts';
import { startModelServer, type ModelServer, type ScenarioRule } from '#test/model-server/server.ts';
import { pdfFile } from '#test/contract/tools/pdf-file.ts';
import { violationsInBothThemes } from './axe.ts';
import { agentIs, messageBox, openFiles, run, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

const scripts: [string, ScenarioTurn[]][] = [
	['read-at-first', [{ text: 'Read with the task.' }]],
	['read-differently', [{ text: 'Read on the fork.' }]],
	[
		'read-these',
		[
			{ toolCalls: [{ name: 'shell', arguments: { command: 'cat attachments/sales-2026.csv' } }] },
			{ text: 'Read both.' }
		]
	]
];
/** One red dot. */
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const CSV = { name: 'sales 2026.csv', mimeType: 'text/csv', buffer: Buffer.from('month,sum\nMay,41\n') };

let models: ModelServer;
let world: World;
let page: Page;
beforeAll(async () => {
	models = await startModelServer(
		scripts.map(([word, turns]): ScenarioRule => ({
			match: ({ body }) => JSON.stringify(body).includes(word),
			scenario: { name: word, turns }
		}))
	);
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
	({ page } = await world.newProfile());
	await page.goto(world.url);
	await openFiles(page, { 'a.txt': 'a\n' });
	await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const chips = () => page.locator('form').getByRole('list', { name: 'Attached files' });
const choose = async (files: Parameters<Page['setInputFiles']>[1]): Promise<void> => {
	const chooser = page.waitForEvent('filechooser');
	await page.getByRole('button', { name: 'Attach files' }).click();
	await (await chooser).setFiles(files as (typeof CSV)[]);
};
/** Simulates dropping these files on the message box. */
const drop = (files: { name: string; base64: string }[]): Promise<void> =>
	messageBox(page).evaluate((element, given) => {
		const data = new DataTransfer();
		for (const { name, base64 } of given)
			data.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
		element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
	}, files);

it('puts dropped and chosen files into the computer, and pictures into the message', async () => {
	await choose([CSV]);
	await chips().getByText('sales-2026.csv').waitFor();
	await chips().getByText('17 B').waitFor();
	await drop([
		{ name: 'evil\u202egpj.sh', base64: btoa('echo') },
		{ name: 'dot.png', base64: PNG }
	]);
	await chips().getByText('evilgpj.sh').waitFor();
	await page.getByRole('img', { name: 'Image 1' }).waitFor();
	expect(await run(page, 'ls attachments && cat attachments/sales-2026.csv')).toBe(
		'evilgpj.sh\nsales-2026.csv\nmonth,sum\nMay,41\n'
	);
	expect(await violationsInBothThemes(page)).toEqual([]);
});

it('takes a file out by keyboard: out of the message and out of the computer', async () => {
	const removal = page.getByRole('button', { name: 'Remove evilgpj.sh' });
	await removal.focus();
	await page.keyboard.press('Enter');
	await removal.waitFor({ state: 'detached' });
	const next = page.getByRole('button', { name: 'Remove sales-2026.csv' });
	await expect.poll(() => next.evaluate((button) => button === document.activeElement)).toBe(true);
	await expect.poll(() => run(page, 'ls attachments')).toBe('sales-2026.csv\n');
});

it('keeps what is attached over a reload, and says what is too large', async () => {
	await page.reload();
	await agentIs(page, 'idle');
	await chips().getByText('sales-2026.csv').waitFor();
	await page.getByRole('img', { name: 'Image 1' }).waitFor();
	await messageBox(page).evaluate((element) => {
		const data = new DataTransfer();
		data.items.add(new File([new Uint8Array(50_000_001)], 'film.mov'));
		element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
	});
	await page.getByRole('alert').getByText('Attach files up to 50 MB').waitFor();
	await page.getByRole('button', { name: 'Dismiss' }).click();
	expect(await run(page, 'ls attachments')).toBe('sales-2026.csv\n');
});

it('names the files in the message, shows them there, and leaves them out of the changes', async () => {
	await send(page, 'Please read-these');
	await timelineOf(page).getByText('Read both.').waitFor({ timeout: 60_000 });
	await agentIs(page, 'idle');
	await chips().waitFor({ state: 'detached' });
	const sent = JSON.stringify(models.requests.at(-1)?.body);
	expect(sent).toContain('Attached files:\\n- attachments/sales-2026.csv (17 B)');
	expect(sent).toContain(PNG);
	expect(sent).toContain('May,41');
	await page.getByRole('tab', { name: 'Changes' }).click();
	await page.getByText('No changes yet').waitFor();
	await timelineOf(page).getByRole('button', { name: 'attachments/sales-2026.csv' }).click();
	await page.getByRole('tab', { name: 'sales-2026.csv' }).waitFor();
});

it('takes the files along to a fork that begins before the message', async () => {
	await timelineOf(page).getByRole('button', { name: 'Edit and resend' }).first().click();
	const box = timelineOf(page).getByRole('textbox', { name: 'Edited message' });
	const text = await box.inputValue();
	await box.fill(text.replace('read-these', 'read-differently'));
	await timelineOf(page).getByRole('button', { name: 'Fork and run' }).click();
	await timelineOf(page).getByText('Read on the fork.').waitFor({ timeout: 60_000 });
	expect(await run(page, 'cat attachments/sales-2026.csv')).toBe('month,sum\nMay,41\n');
});

it('shows a PDF page by page, with its text for screen readers', async () => {
	const pdf = pdfFile([['Invoice of May'], ['Sum: 41']]);
	await choose([
		{ name: 'invoice.pdf', mimeType: 'application/pdf', buffer: Buffer.from(pdf) },
		{ name: 'broken.pdf', mimeType: 'application/pdf', buffer: Buffer.from('no pdf') }
	]);
	await chips().getByText('invoice.pdf').waitFor();
	await page.getByRole('tab', { name: 'Files' }).click();
	const item = (name: string) => page.getByRole('treeitem', { name });
	if (!(await item('invoice.pdf').isVisible())) await item('attachments').click();
	await item('invoice.pdf').click();
	const sheet = page.getByRole('region', { name: 'attachments/invoice.pdf' });
	const picture = (name: string) => sheet.getByRole('img', { name });
	await picture('Page 1 of 2').waitFor({ timeout: 60_000 });
	await expect.poll(() => sheet.textContent()).toContain('Invoice of May');
	expect(await picture('Page 1 of 2').evaluate((image: HTMLImageElement) => image.naturalHeight)).toBe(1800);
	await sheet.focus();
	await page.keyboard.press('PageDown');
	await picture('Page 2 of 2').waitFor({ timeout: 60_000 });
	await expect.poll(() => sheet.textContent()).toContain('Sum: 41');
	await expect.poll(() => sheet.getAttribute('aria-busy')).toBe('false');
	expect(await violationsInBothThemes(page)).toEqual([]);
	await item('broken.pdf').click();
	await page.getByText('This file is damaged or isn’t a PDF.').waitFor({ timeout: 60_000 });
});

it('takes files on the front page, and sends them with the first message', async () => {
	const { page: first, errors } = await world.newProfile();
	await first.goto(world.url);
	const task = first.getByRole('textbox', { name: 'What do you want to build or fix?' });
	const chooser = first.waitForEvent('filechooser');
	await first.getByRole('button', { name: 'Attach files' }).click();
	await (await chooser).setFiles([CSV]);
	const given = first.getByRole('list', { name: 'Attached files' });
	// A file is listed when it has been read, not in the order of selection.
	await given.getByRole('button', { name: 'Remove sales-2026.csv' }).waitFor();
	await task.evaluate(
		(element, [png, kilobytes]) => {
			const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
			const drop = (files: File[]): void => {
				const data = new DataTransfer();
				for (const file of files) data.items.add(file);
				element.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
			};
			drop([new File([bytes], 'dot.png'), new File(['unwanted'], 'unwanted.txt')]);
			drop([new File([new Uint8Array(kilobytes * 1000)], 'film.mov')]);
		},
		[PNG, 50_001] as const
	);
	await first.getByRole('alert').getByText('Attach files up to 50 MB').waitFor();
	await expect.poll(() => given.getByRole('listitem').allInnerTexts()).toHaveLength(3);
	expect(await violationsInBothThemes(first)).toEqual([]);
	const removal = given.getByRole('button', { name: 'Remove unwanted.txt' });
	await removal.focus();
	await first.keyboard.press('Enter');
	await removal.waitFor({ state: 'detached' });
	const next = given.getByRole('button', { name: 'Remove dot.png' });
	await expect.poll(() => next.evaluate((button) => button === document.activeElement)).toBe(true);

	await task.fill('Please read-at-first');
	await first.getByRole('button', { name: 'Start', exact: true }).click();
	await timelineOf(first).getByText('Read with the task.').waitFor({ timeout: 60_000 });
	const sent = JSON.stringify(models.requests.at(-1)?.body);
	expect(sent).toContain('Attached files:\\n- attachments/sales-2026.csv (17 B)');
	expect(sent).toContain(PNG);
	expect(await run(first, 'ls attachments')).toBe('sales-2026.csv\n');
	expect(errors).toEqual([]);
});
