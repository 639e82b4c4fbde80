import { afterAll, beforeAll, expect, it } from 'vitest';
import { openWorld, type World } from './world.ts';

const TOKEN = 'a-token-of-this-test-0123456789';
let world: World;
beforeAll(async () => {
	world = await openWorld({ SANDGLASS_TOKEN: TOKEN, ANTHROPIC_API_KEY: 'sk-ant-of-this-test' });
});
afterAll(() => world.close());

it('asks for the server’s token, says when it is wrong, and remembers the right one', async () => {
	const { page, errors } = await world.newProfile();
	await page.goto(world.url);
	const dialog = page.getByRole('dialog', { name: 'Enter this server’s access token' });
	await dialog.getByLabel('Token', { exact: true }).fill('wrong');
	await dialog.getByRole('button', { name: 'Open' }).click();
	await dialog.getByText('That token isn’t right').waitFor();
	await dialog.getByLabel('Token', { exact: true }).fill(TOKEN);
	await dialog.getByRole('button', { name: 'Open' }).click();
	await dialog.waitFor({ state: 'hidden' });
	await page.evaluate(() => window.sandglass!.importRepository({ files: { 'a.txt': 'a\n' } }));
	const models = page.getByRole('combobox', { name: 'Model', exact: true }).locator('option');
	await models
		.filter({ hasText: /claude|opus|sonnet/i })
		.first()
		.waitFor({ state: 'attached' });

	await page.reload();
	await page.getByRole('status', { name: 'Agent' }).waitFor();
	expect(await dialog.count()).toBe(0);
	expect(await page.evaluate(() => document.cookie)).not.toContain(TOKEN);
	expect(errors).toEqual([]);
});
