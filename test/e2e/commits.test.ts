import type { Page } from 'playwright';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './axe.ts';
import { openFiles, run } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
let page: Page;
let errors: string[];

beforeAll(async () => {
	world = await openWorld();
	({ page, errors } = await world.newProfile());
	await page.goto(world.url);
	await openFiles(page, { 'list.txt': 'one\n', 'b.txt': 'b\n' });
	await page.getByRole('tab', { name: 'Changes' }).click();
});
afterAll(() => world.close());

const write = (path: string, text: string) =>
	page.evaluate(([name, content]) => window.sandglass!.environment!.writeFile(name!, content!), [path, text]);
const commits = () => page.getByRole('list', { name: 'Commits' });
const commit = (subject: string) => commits().getByRole('button', { name: subject });
const message = () => page.getByRole('textbox', { name: 'Commit message' });
const log = (format: string): Promise<string> => run(page, `git log -1 --format='${format}'`);

describe('commits of a project', () => {
	it('are made under the author given, who is remembered', async () => {
		await write('list.txt', 'one\ntwo\n');
		await page
			.getByRole('button', { name: 'Author:' })
			.or(page.getByRole('button', { name: 'Change author' }))
			.click();
		await page.getByRole('textbox', { name: 'Author' }).fill('Ada Lovelace');
		await page.getByRole('textbox', { name: 'E-mail' }).fill('ada@example.org');
		await page.getByRole('textbox', { name: 'E-mail' }).press('Enter');
		await page.getByRole('button', { name: 'Author: Ada Lovelace <ada@example.org>' }).waitFor();
		await message().fill('Add two');
		await page.getByRole('button', { name: 'Commit', exact: true }).click();
		await page
			.getByRole('tabpanel', { name: 'Changes' })
			.getByText(/^Committed/)
			.waitFor();
		expect(await log('%an <%ae> %s')).toBe('Ada Lovelace <ada@example.org> Add two\n');
	});

	it('can be amended, with the message of the one before proposed', async () => {
		await write('list.txt', 'one\ntwo\nthree\n');
		await page.getByRole('checkbox', { name: 'Amend the last commit' }).check();
		await page.getByText('Replaces “Add two”').waitFor();
		expect(await message().inputValue()).toBe('Add two');
		await message().fill('Add two and three');
		await page.getByRole('button', { name: 'Commit', exact: true }).click();
		await page
			.getByRole('tabpanel', { name: 'Changes' })
			.getByText(/^Amended as/)
			.waitFor();
		expect(await run(page, 'git log --format=%s')).toBe('Add two and three\nImported\n');
		expect(await run(page, 'git status --porcelain')).toBe('');
	});

	it('are listed with their graph, and open to what they changed', async () => {
		await page.getByRole('button', { name: 'Commits', exact: true }).click();
		await commit('Add two and three').click();
		const details = page.getByRole('group', { name: 'Commit: Add two and three' });
		await details.getByText('three', { exact: true }).waitFor();
		await details.getByText('1 file', { exact: true }).waitFor();
		expect(await commits().getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
		expect(await violations(page)).toEqual([]);
	});

	it('on branches are shown as they appear, made here or in the terminal', async () => {
		await page.getByRole('button', { name: 'Branch: main' }).click();
		await page.getByRole('textbox', { name: 'New branch' }).fill('bad name');
		await page.getByText('This isn’t a valid branch name').waitFor();
		await page.getByRole('textbox', { name: 'New branch' }).fill('topic/x');
		expect(await violations(page)).toEqual([]);
		await page.getByRole('button', { name: 'Create and switch' }).click();
		await page.getByRole('button', { name: 'Branch: topic/x' }).waitFor();
		await run(page, 'echo c >c.txt && git add -A && git commit -qm "On the topic"');
		await commit('On the topic').waitFor();
		await run(page, 'git switch -q main && echo d >d.txt && git add -A && git commit -qm "On main"');
		await page.getByRole('button', { name: 'Branch: main' }).waitFor();
		await run(page, 'git merge -q --no-edit -m "Both together" topic/x');
		await commit('Both together').waitFor();
		await page.getByRole('button', { name: 'Branch: main' }).click();
		await page.getByRole('button', { name: 'Switch to topic/x' }).click();
		await page.getByRole('button', { name: 'Branch: topic/x' }).waitFor();
		expect(await run(page, 'ls')).toBe('b.txt\nc.txt\nlist.txt\n');
	});

	it('keep changes that a switch would overwrite, and say which', async () => {
		await write('d.txt', 'mine\n');
		await page.getByRole('button', { name: 'Branch: topic/x' }).click();
		await page.getByRole('button', { name: 'Switch to main' }).click();
		await page.getByRole('alert').getByText('d.txt').waitFor();
		await page.keyboard.press('Escape');
		expect(await run(page, 'cat d.txt; git branch --show-current')).toBe('mine\ntopic/x\n');
		await run(page, 'rm d.txt');
	});

	it('start new branches, and branches are deleted after a question', async () => {
		// Still open from before.
		const details = page.getByRole('group', { name: 'Commit: Add two and three' });
		await details.getByRole('button', { name: 'New branch here…' }).click();
		await page.getByRole('textbox', { name: /^New branch at/ }).fill('old');
		await page.keyboard.press('Enter');
		await page.getByRole('button', { name: 'Branch: old' }).waitFor();
		expect(await log('%s')).toBe('Add two and three\n');
		await page.getByRole('button', { name: 'Branch: old' }).click();
		await page.getByRole('button', { name: 'Delete topic/x' }).click();
		await page.getByRole('button', { name: 'Delete branch' }).click();
		await page.getByRole('button', { name: 'Switch to topic/x' }).waitFor({ state: 'detached' });
		await page.getByRole('button', { name: 'Close' }).click();
		expect(await run(page, "git branch --format='%(refname:short)'")).toBe('main\nold\n');
		expect(errors).toEqual([]);
	});

	it('that the agent or a command made of all changes are told, and changes count from there on request', async () => {
		const panel = page.getByRole('tabpanel', { name: 'Changes' });
		await page
			.getByRole('radio', { name: 'Changes' })
			.or(page.getByRole('button', { name: 'Changes' }))
			.first()
			.click();
		await write('list.txt', 'one\nmore\n');
		await message().waitFor();
		await run(page, 'git commit -qam "Add more"');
		await panel.getByText('All of this is committed already; the last commit is “Add more”.').waitFor();
		expect(await message().count()).toBe(0);
		expect(await violations(page)).toEqual([]);
		// A change after it can be committed as ever.
		await write('b.txt', 'other\n');
		await message().waitFor();
		await run(page, 'git checkout -q b.txt');
		await panel.getByRole('button', { name: 'Count changes from there' }).click();
		await panel.getByText('No changes yet').waitFor();
		expect(errors).toEqual([]);
	});
});
