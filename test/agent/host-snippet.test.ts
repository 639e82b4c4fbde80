import { expect, it } from 'vitest';
import { createAnthropicProfile, Session, type SessionEvent } from '#agent/index.ts';
import { FakeClient } from './fake-client.ts';
import { ofType, temporaryEnvironment } from './fake-session.ts';

it('lets a host work with a real profile in a real environment [J.9-1.3]', async () => {
	const environment = await temporaryEnvironment();
	await environment.writeFile('sum.js', 'export const sum = (a, b) => a - b;\n');
	const file_path = `${environment.workingDirectory()}/sum.js`;
	const client = new FakeClient([
		{ text: 'I look first.', calls: [{ name: 'Read', arguments: { file_path } }] },
		{ calls: [{ name: 'Edit', arguments: { file_path, old_string: 'a - b', new_string: 'a + b' } }] },
		{ calls: [{ name: 'Bash', arguments: { command: 'cat sum.js' } }] },
		{ text: 'Fixed.' }
	]);
	const seen: SessionEvent[] = [];
	const render = (event: SessionEvent): number => seen.push(event);

	// What a host writes.
	const session = new Session({
		profile: createAnthropicProfile({ model: 'claude-opus-4-6' }),
		environment,
		client,
		mode: 'full'
	});
	for await (const event of session.submit('Make the failing test pass')) render(event);
	await session.close();

	expect(await environment.readFile('sum.js')).toBe('export const sum = (a, b) => a + b;\n');
	expect(ofType(seen, 'tool_call_end').map(({ toolName, isError }) => [toolName, isError])).toEqual([
		['Read', false],
		['Edit', false],
		['Bash', false]
	]);
	expect(ofType(seen, 'tool_call_end')[2]?.output).toContain('a + b');
	expect(ofType(seen, 'file_change')).toMatchObject([
		{ path: 'sum.js', kind: 'modified', added: 1, removed: 1, by: 'tool' }
	]);
	expect(client.requests[0]?.system).toContain(environment.workingDirectory());
});
