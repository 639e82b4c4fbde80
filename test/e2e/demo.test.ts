import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentIs, messageBox, run, timelineOf, watchDemo } from './steps.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
	world = await openWorld();
});
afterAll(() => world.close());

describe('the demo', () => {
	it('goes from a click to green tests, every file and command real', async () => {
		const { page, errors } = await world.newProfile();
		await page.goto(world.url);
		await watchDemo(page);

		const machine = await page.evaluate(async () => {
			const { environment, session } = window.sandglass!;
			const test = await environment!.exec('npm test');
			const diff = await environment!.exec('git diff --stat');
			return { exitCode: test.exitCode, output: test.stdout + test.stderr, diff: diff.stdout, state: session!.state };
		});
		expect(machine.output).toMatch(/fail 0/);
		expect(machine.exitCode).toBe(0);
		expect(machine.diff).toContain('src/replacements.ts');
		expect(machine.state).toBe('idle');
		// Failing first, passing last, as the timeline shows it.
		await timelineOf(page)
			.getByRole('button', { name: /^Worked for/ })
			.click();
		await expect.poll(() => timelineOf(page).innerText()).toMatch(/3 of 24 failed[\s\S]*replacements\.ts/);
		const summary = timelineOf(page).getByRole('group', { name: 'Task summary' });
		await expect.poll(() => summary.innerText()).toMatch(/all tests pass[\s\S]*24 pass[\s\S]*3 failed before/);
		// The changes are one click away from their review.
		await summary.getByRole('button', { name: 'Review changes' }).click();
		await page.getByRole('tabpanel', { name: 'Changes' }).getByText('src/replacements.ts').first().waitFor();
		await page.getByText('This demo follows a script').waitFor();
		// Undoing them is too: the moment before the first step is shown, and nothing has changed.
		await summary.getByRole('button', { name: 'Undo all…' }).click();
		await page.getByRole('button', { name: 'Go back to here' }).waitFor();
		await page.keyboard.press('Escape');
		await page.getByRole('button', { name: 'Go back to here' }).waitFor({ state: 'detached' });

		// The next demo builds a page, and finds its own mistake by using it.
		await page.getByRole('button', { name: 'Watch it build a page' }).click();
		const next = timelineOf(page).getByRole('group', { name: 'Task summary' });
		await timelineOf(page).getByText('Build a tip calculator').first().waitFor();
		await next.waitFor({ timeout: 90_000 });
		await agentIs(page, 'idle');
		expect(await run(page, 'ls src; grep -c "Number(bill) + tip" src/tip-calculator.ts')).toBe(
			'main.ts\ntip-calculator.ts\n1\n'
		);
		await timelineOf(page)
			.getByRole('button', { name: /^Worked for/ })
			.click();
		await expect.poll(() => timelineOf(page).innerText()).toMatch(/2003\.00 instead of 23\.00[\s\S]*23\.00 each/);
		await page.getByRole('tab', { name: 'Preview' }).click();
		await page.frameLocator('iframe[title="Document index.html"]').getByText('Each pays').waitFor();
		expect(await page.getByRole('button', { name: 'Watch it build a page' }).count()).toBe(0);
		expect(errors).toEqual([]);
	});

	it('suggests its task in a project from the template', async () => {
		const { page } = await world.newProfile();
		await page.goto(world.url);
		await page.getByRole('button', { name: 'Template' }).click();
		await page.getByRole('button', { name: /^Vanilla TypeScript/ }).click();
		await timelineOf(page)
			.getByRole('button', { name: /^Build a tip calculator/ })
			.click();
		expect(await messageBox(page).inputValue()).toMatch(/^Build a tip calculator/);
	});

	it('is on the front page as a session to open, play and verify', async () => {
		const { page, errors } = await world.newProfile();
		await page.goto(world.url);
		await page.getByRole('button', { name: 'Open this session' }).click();
		const facts = page.getByRole('list', { name: 'Result' });
		await facts.getByText('24 pass, 3 failed before').waitFor();
		await facts.getByRole('button', { name: 'Verify' }).click();
		const dialog = page.getByRole('dialog', { name: 'Verify this session' });
		await dialog.getByRole('button', { name: /^Run \d+ commands$/ }).click();
		await dialog.getByText(/^Verified all \d+ commands\./).waitFor({ timeout: 60_000 });
		await dialog.getByRole('button', { name: 'Close' }).first().click();
		await page.getByRole('button', { name: 'Play', exact: true }).first().click();
		await page.getByRole('group', { name: 'src/replacements.ts' }).first().waitFor();
		expect(errors).toEqual([]);
	});
});
