import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SessionOptions } from '#agent/api.ts';
import type { SessionEvent } from '#agent/events.ts';
import { createCodeModeProfile } from '#agent/profiles/code-mode.ts';
import { Session } from '#agent/session.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { FakeClient } from '#test/agent/fake-client.ts';
import type { EnvironmentSuite } from './environment.ts';
import { layOut } from './parity/stage.ts';

/** Tests of code mode in one environment: scripts with the session's own tools. */
export function describeCodeMode(name: string, suite: EnvironmentSuite): void {
	describe(`code mode over ${name}`, () => {
		let environment: ExecutionEnvironment;
		beforeAll(async () => void (environment = await suite.create()));
		beforeEach(() => layOut(environment, { 'a.txt': 'one\ntwo\n', 'b.txt': 'three\n' }));
		afterAll(async () => {
			await environment.cleanup();
			await suite.dispose?.();
		});

		/** Runs a script, and returns the answer sent to the model. */
		async function script(input: string, options: Partial<SessionOptions> = {}) {
			const client = new FakeClient([{ calls: [{ name: 'exec', arguments: { input } }] }, { text: 'Done.' }]);
			const profile = createCodeModeProfile({ model: 'gpt-6.1-sol', provider: 'fake' });
			const session = new Session({ profile, environment, client, mode: 'full', ...options });
			const seen: SessionEvent[] = [];
			session.emitter.onEvent((event) => seen.push(event));
			const result = await session.submit('Go').result;
			await session.close();
			const [part] = client.requests.at(-1)?.messages.at(-1)?.content ?? [];
			const text = part?.type === 'tool_result' ? part.content.replace(/Wall time [\d.]+/, 'Wall time 0') : '';
			return { text, result, seen, tools: client.requests[0]?.tools?.map((tool) => tool.name) };
		}

		it('does many steps in one call, and shows what it is asked to', async () => {
			const { text, tools } = await script(`
				const files = ['a.txt', 'b.txt'];
				const lines = await Promise.all(files.map((f) => tools.exec_command({ cmd: 'wc -l < ' + f })));
				await tools.apply_patch('*** Begin Patch\\n*** Add File: sum.txt\\n+' +
					lines.reduce((sum, { output }) => sum + Number(output), 0) + '\\n*** End Patch\\n');
				text((await tools.exec_command({ cmd: 'cat sum.txt; exit 4' })));
			`);
			expect(text).toMatch(/^Script completed\nWall time 0 seconds\nOutput:\n\{"output":"3\\n.*"exit_code":4,/);
			expect(await environment.readFile('sum.txt')).toBe('3\n');
			expect(tools).toContain('exec');
			expect(tools).not.toContain('exec_command');
		});

		it('tells what went wrong in a script, with its tools’ own words', async () => {
			expect((await script('throw new Error("boom")')).text).toMatch(
				/^Script failed\n.*\nOutput:\nScript error:\nError: boom/
			);
			expect((await script('syntax error here')).text).toContain('SyntaxError');
			expect((await script('await tools.read_file({ file_path: "none.txt" })')).text).toMatch(
				/Script error:[^]*none\.txt/
			);
			expect((await script('await tools.nope({})')).text).toContain('tools.nope is not a function');
			expect((await script('text(ALL_TOOLS.map((tool) => tool.name).join())')).text).toContain('exec_command,');
		});

		it('guards each call of a script as the model’s own', async () => {
			const asked: string[] = [];
			const { text, result } = await script(
				`try { await tools.exec_command({ cmd: 'rm a.txt' }) } catch (error) { text('refused: ' + error.message) }`,
				{
					mode: 'ask',
					askPermission: (request) => {
						asked.push(request.command ?? '');
						return Promise.resolve({ kind: 'deny_explain', explanation: 'Keep it.' });
					}
				}
			);
			expect(asked).toEqual(['rm a.txt']);
			expect(text).toContain('refused: The user did not allow it: Keep it.');
			expect(result.stopReason).toBe('end_turn');
			expect(await environment.fileExists('a.txt')).toBe(true);
			const denied = await script(`await tools.exec_command({ cmd: 'rm a.txt' })`, {
				mode: 'ask',
				askPermission: () => Promise.resolve({ kind: 'deny' })
			});
			expect(denied.result.stopReason).toBe('permission_denied');
			const planned = await script(
				`text(await tools.read_file({ file_path: 'b.txt' })); await tools.exec_command({ cmd: 'rm b.txt' })`,
				{ mode: 'plan' }
			);
			expect(planned.text).toMatch(/three[^]*Plan mode: nothing is changed/);
			expect(await environment.fileExists('b.txt')).toBe(true);
		});

		it.each(['plan', 'ask', 'auto-edit'] as const)(
			'lets a script itself change, start and reach nothing unasked in the mode %s',
			async (mode) => {
				const asked: string[] = [];
				await script(
					`const fs = require('fs'); const run = require('child_process').spawnSync;
					for (const attempt of [
						() => fs.writeFileSync('by-script', ''),
						() => fs.rmSync('b.txt'),
						() => fs.renameSync('b.txt', 'c.txt'),
						() => fs.appendFileSync(process.env.HOME + '/.bashrc', 'x'),
						() => run('sh', ['-c', 'touch by-child; rm -f b.txt']),
						() => run('kill', [String(process.ppid)])
					]) { try { attempt() } catch (error) { text(error.code) } }`,
					{
						mode,
						askPermission: (request) => {
							asked.push(request.command ?? '');
							return Promise.resolve({ kind: 'deny_explain', explanation: 'No.' });
						}
					}
				);
				// If nothing enforces rights, the whole script needs permission.
				for (const question of asked) expect(question).toContain("fs.writeFileSync('by-script'");
				for (const path of ['by-script', 'by-child', 'c.txt']) expect(await environment.fileExists(path)).toBe(false);
				expect(await environment.fileExists('b.txt')).toBe(true);
			}
		);
	});
}
