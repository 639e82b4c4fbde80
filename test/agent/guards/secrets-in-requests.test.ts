import { expect, it } from 'vitest';
import { createAnthropicProfile, Session } from '#agent/index.ts';
import { FakeClient } from '../fake-client.ts';
import { temporaryEnvironment } from '../fake-session.ts';

const token = `ghp_${'aB3d'.repeat(9)}`;
const body = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7';
const pem = `-----BEGIN PRIVATE KEY-----\n${`${body}\n`.repeat(4)}-----END PRIVATE KEY-----`;

it('sends a model no key that lies in the project, by whatever way it comes there', async () => {
	const environment = await temporaryEnvironment();
	await environment.writeFile('.env', `A=1\nTOKEN=${token}\nB=2\n`);
	await environment.writeFile('key.pem', `one\n${pem}\nlast\n`);
	await environment.writeFile('AGENTS.md', `Use ${token} for the tests.\n${pem}\n`);
	await environment.writeFile(
		'.agents/skills/deploy/SKILL.md',
		`---\nname: deploy\ndescription: With ${token}.\n---\n${pem}\n`
	);
	const who = '-c user.name=Test -c user.email=test@example.com';
	await environment.exec(`git init -q . && git ${who} commit -q --allow-empty -m "Remove ${token}"`);
	const call = (name: string, args: Record<string, unknown>) => ({ calls: [{ name, arguments: args }] });
	const client = new FakeClient([
		call('Read', { file_path: '.env' }),
		call('Read', { file_path: 'key.pem', offset: 3, limit: 2 }),
		call('Grep', { pattern: 'TOKEN', output_mode: 'content' }),
		call('Bash', { command: 'cat .env; cat key.pem >&2; exit 1' }),
		call('Bash', { command: `printf 'in two: %s' ${token.slice(0, 9)}; echo ${token.slice(9)}` }),
		call('Edit', { file_path: '.env', old_string: 'B=2', new_string: 'B=3' }),
		call('Edit', { file_path: '.env', old_string: 'TOKEN=x', new_string: 'TOKEN=y' }),
		call('Read', { file_path: 'no/such/file' }),
		call('skill', { name: 'deploy' }),
		{ text: 'Done.' }
	]);
	const profile = createAnthropicProfile({ model: 'claude-opus-4-6' });
	const session = new Session({ profile, environment, client, mode: 'full', trustProjectInstructions: true });
	await session.submit('/deploy it').result;
	await session.close();
	const sent = JSON.stringify(client.requests);
	expect(client.requests).toHaveLength(10);
	expect(sent).toContain('[secret left out: GitHub token]');
	expect(sent).toContain('[secret left out: private key]');
	expect(sent).toContain('Remove [secret left out');
	// The model's own words are excluded: it already knows them.
	expect(sent.replaceAll(token.slice(9), '…').replaceAll(token.slice(0, 9), '…')).not.toContain('aB3d');
	const results = client.requests.at(-1)?.messages.filter(({ role }) => role === 'tool');
	expect(JSON.stringify(results)).not.toContain('aB3d');
	expect(sent).not.toContain(body);
});
