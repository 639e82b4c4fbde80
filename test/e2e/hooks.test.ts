import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { agentIs, openFiles, run, send, timelineOf } from './steps.ts';
import { openWorld, type World } from './world.ts';

let models: ModelServer;
let world: World;
let page: Page;

beforeAll(async () => {
	models = await startModelServer({
		name: 'hooks',
		turns: [
			{ text: 'First answer.' },
			{ toolCalls: [{ name: 'shell', arguments: { command: 'echo text > note.txt' } }] },
			{ text: 'I think it is done.' },
			{ toolCalls: [{ name: 'shell', arguments: { command: 'echo > done.txt' } }] },
			{ text: 'Now it is done.' },
			{ text: 'Third answer.' }
		]
	});
	world = await openWorld({ ANTHROPIC_API_KEY: 'sk-test', ANTHROPIC_BASE_URL: models.url });
	({ page } = await world.newProfile());
	await page.goto(world.url);
});
afterAll(async () => {
	await world.close();
	await models.close();
});

const SETTINGS = {
	hooks: [
		{ event: 'message', command: 'echo "the branch is green-parrot"' },
		{ event: 'after_tool', tools: ['shell'], command: 'node -p "JSON.parse(fs.readFileSync(0)).paths.join()"' },
		{ event: 'end', command: 'test -e done.txt || { echo "done.txt is missing"; exit 1; }' }
	]
};
const lastRequest = (): string => JSON.stringify(models.requests.at(-1)?.body);

describe('hooks of a project', () => {
	it('run only once the user has allowed them, and then at their points', async () => {
		await openFiles(page, { '.sandglass/settings.json': JSON.stringify(SETTINGS) });
		const notice = page.getByRole('region', { name: 'This repository has hooks' });
		await notice.getByText('with each message').waitFor();
		await notice.getByText('after shell').waitFor();
		await page.getByRole('combobox', { name: 'Mode', exact: true }).selectOption('full');
		await send(page, 'Hello');
		await timelineOf(page).getByText('First answer.').waitFor();
		expect(lastRequest()).not.toContain('green-parrot');

		await notice.getByRole('button', { name: 'Run them' }).click();
		await notice.waitFor({ state: 'hidden' });
		await send(page, 'Work');
		await timelineOf(page).getByText('Now it is done.').waitFor();
		await agentIs(page, 'idle');
		const request = lastRequest();
		expect(request).toContain('the branch is green-parrot');
		expect(request).toMatch(/\[Hook of this project: [^\]]*\]\\nnote\.txt/);
		expect(request).toContain('done.txt is missing');
		expect(await run(page, 'ls')).toBe('done.txt\nnote.txt\n');
		await timelineOf(page)
			.getByRole('button', { name: /^Worked for/ })
			.last()
			.click();
		await timelineOf(page).getByText('failed, exit code 1 (').waitFor();
	});

	it('are listed in the settings, where they are turned off', async () => {
		await page.reload();
		await agentIs(page, 'idle');
		expect(await page.getByRole('region', { name: /^This repository has hooks/ }).count()).toBe(0);
		await page.getByRole('button', { name: 'Settings' }).click();
		const dialog = page.getByRole('dialog', { name: 'Settings' });
		await dialog.getByRole('button', { name: 'Permissions' }).click();
		await dialog.getByText('before the agent ends').waitFor();
		await dialog.getByRole('button', { name: 'Turn off' }).click();
		await dialog.getByText('They are off.').waitFor();
		await dialog.getByRole('button', { name: 'Turn on' }).click();
		await page.keyboard.press('Escape');
	});

	it('are off after a change of the file, until the user decides again', async () => {
		await run(page, `sed -i 's/green-parrot/red-parrot/' .sandglass/settings.json`);
		const notice = page.getByRole('region', { name: 'This repository’s hooks have changed' });
		await notice.getByText('red-parrot').waitFor();
		await send(page, 'Again');
		await timelineOf(page).getByText('Third answer.').waitFor();
		expect(lastRequest()).not.toContain('red-parrot');
		await notice.getByRole('button', { name: 'Leave them off' }).click();
		await notice.waitFor({ state: 'hidden' });
	});
});
