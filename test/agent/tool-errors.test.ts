import { describe, expect, it } from 'vitest';
import { createAnthropicProfile } from '#agent/profiles/anthropic.ts';
import { createPiProfile } from '#agent/profiles/pi.ts';
import { fakeSession, ofType, temporaryEnvironment } from './fake-session.ts';
import type { FakeTurn } from './fake-client.ts';

type Call = NonNullable<FakeTurn['calls']>[number];

/** Result of a call as the model receives it, and whether the run continued afterwards. */
async function tell(call: Call, before: Call[] = []) {
	const environment = await temporaryEnvironment();
	await environment.writeFile('a.txt', 'same\nsame\nother\n');
	const profile = createAnthropicProfile({ model: 'claude-opus-4-6' });
	const turns: FakeTurn[] = [...before.map((each) => ({ calls: [each] })), { calls: [call] }, { text: 'I see.' }];
	const { session, client, seen } = await fakeSession(turns, { profile, environment, defaultCommandTimeoutMs: 300 });
	const result = await session.submit('Go').result;
	expect(result.stopReason).toBe('end_turn');
	const [part] = client.requests.at(-1)?.messages.at(-1)?.content ?? [];
	if (part?.type !== 'tool_result') throw new Error('The call was answered.');
	expect(part.isError).toBe(true);
	return { text: part.content, seen };
}

const edit = (old_string: string): Call => ({
	name: 'Edit',
	arguments: { file_path: 'a.txt', old_string, new_string: 'x' }
});
const read: Call = { name: 'Read', arguments: { file_path: 'a.txt' } };

describe('an error of a tool reaches the model with what it can do next [S-23]', () => {
	it('a file that is not there', async () => {
		expect((await tell({ name: 'Read', arguments: { file_path: 'b.txt' } })).text).toMatch(
			/no such file.*b\.txt.*Search for the right path/i
		);
	});

	it('an edit whose text is not there', async () => {
		expect((await tell(edit('absent'), [read])).text).toMatch(/Could not find.*(Read the file again|closest place)/is);
	});

	it('an edit whose text stands there twice', async () => {
		expect((await tell(edit('same'), [read])).text).toMatch(/2 occurrences.*(context|unique)/is);
	});

	it('a command that fails', async () => {
		const { text } = await tell({ name: 'Bash', arguments: { command: 'echo partly; exit 3' } });
		expect(text).toBe('partly\n[Exit code: 3]');
	});

	it('a command that takes too long', async () => {
		const { text } = await tell({ name: 'Bash', arguments: { command: 'sleep 9' } });
		expect(text).toMatch(/timed out after 300ms.*retry with a longer timeout/s);
	});

	it('a path outside', async () => {
		const { text } = await tell({
			name: 'Write',
			arguments: { file_path: '/../../etc/passwd-sandglass', content: 'x' }
		});
		expect(text).toMatch(/EACCES.*Choose another path, inside the workspace/);
	});

	it('arguments that do not fit', async () => {
		const { text } = await tell({ name: 'Bash', arguments: { command: 7 } });
		expect(text).toMatch(/command.*string.*Correct them/is);
	});

	it('arguments that are no JSON', async () => {
		const { text } = await tell({ name: 'Bash', arguments: {}, rawArguments: '{"command": ' });
		expect(text).toMatch(/Invalid tool call format.*JSON/is);
	});

	it('a tool that does not exist', async () => {
		const { text } = await tell({ name: 'Reed', arguments: {} });
		expect(text).toMatch(/^Unknown tool: Reed\. The tools here are .*Read/);
	});
});

describe('a run that is aborted', () => {
	it('removes the files tools kept and ends what runs in the background [J.9-1.6, 9.1-6]', async () => {
		const environment = await temporaryEnvironment();
		const profile = createPiProfile({ model: 'm' });
		const beat = `node -e "setInterval(() => require('fs').appendFileSync('beat', 'x'), 20)"`;
		const turns: FakeTurn[] = [
			{ calls: [{ name: 'bash', arguments: { command: `seq 1 30000` } }] },
			{ calls: [{ name: 'bash', arguments: { command: `${beat} & ${beat} & wait`, timeout: 60 } }] }
		];
		const { session, seen } = await fakeSession(turns, { profile, environment });
		const run = session.submit('Go');
		while (!(await environment.fileExists('beat'))) await new Promise((resolve) => setTimeout(resolve, 20));
		const kept = String(Object(ofType(seen, 'tool_call_end')[0]?.details)['outputFile']);
		expect(await environment.fileExists(kept)).toBe(true);
		await session.abort();
		expect((await run.result).stopReason).toBe('aborted');
		expect(await environment.fileExists(kept)).toBe(false);
		const size = (await environment.stat('beat')).size;
		// If either were alive, there would be more output after this time.
		const { stdout } = await environment.exec('sleep 0.2; wc -c < beat');
		expect(Number(stdout)).toBe(size);
	});
});

describe('a command that steering interrupts', () => {
	it('ends with all its processes, and the calls after it are skipped [J.9-1.4]', async () => {
		const environment = await temporaryEnvironment();
		const beat = `node -e "setInterval(() => require('fs').appendFileSync('beat', 'x'), 20)"`;
		const bash = (command: string): Call => ({ name: 'bash', arguments: { command, timeout: 60 } });
		const turns: FakeTurn[] = [
			{ calls: [bash(`echo begun; ${beat} & ${beat} & wait`), bash('touch second'), bash('touch third')] },
			{ text: 'Another way, then.' }
		];
		const profile = createPiProfile({ model: 'm' });
		const { session, client } = await fakeSession(turns, { profile, environment });
		const run = session.submit('Go');
		while (!(await environment.fileExists('beat'))) await new Promise((resolve) => setTimeout(resolve, 20));
		session.steer('Not that', { interrupt: true });
		expect(await run.result).toMatchObject({ stopReason: 'end_turn', text: 'Another way, then.' });
		const skipped = { isError: true, content: 'Skipped due to queued user message' };
		expect(client.requests[1]?.messages.slice(-2)).toMatchObject([
			{ role: 'tool', content: [{ isError: true, content: 'begun\n\n\nCommand aborted' }, skipped, skipped] },
			{ role: 'user', content: [{ text: 'Not that' }] }
		]);
		const { size } = await environment.stat('beat');
		// If either were alive, there would be more output after this time.
		const { stdout } = await environment.exec('sleep 0.2; wc -c < beat; ls');
		expect(stdout.trim().split(/\s+/)).toEqual([String(size), 'beat']);
	});
});
