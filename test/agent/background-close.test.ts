import { expect, it } from 'vitest';
import { createAnthropicProfile, Session } from '#agent/index.ts';
import { FakeClient } from './fake-client.ts';
import { temporaryEnvironment } from './fake-session.ts';

it('ends the commands left in the background when the session closes, not before', async () => {
	const environment = await temporaryEnvironment();
	const command = 'echo $$ > pid; exec sleep 300';
	const client = new FakeClient([
		{ calls: [{ name: 'Bash', arguments: { command, run_in_background: true } }] },
		{ text: 'It runs.' }
	]);
	const profile = createAnthropicProfile({ model: 'claude-opus-4-6' });
	const session = new Session({ profile, environment, client, mode: 'full' });
	await session.submit('Start it').result;
	await expect.poll(() => environment.fileExists('pid')).toBe(true);
	const isAlive = async () => (await environment.exec('kill -0 "$(cat pid)"')).exitCode === 0;
	await expect.poll(isAlive).toBe(true);
	await session.close();
	expect(await isAlive()).toBe(false);
});
