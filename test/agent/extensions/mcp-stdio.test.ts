import { realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { McpConnection } from '#agent/extensions/mcp/connect.ts';
import { startMcpServer } from '#agent/extensions/mcp/stdio.ts';
import { fakeSession, ofType } from '../fake-session.ts';
import { fakeProfile } from '../fake-tools.ts';

const SERVER = path.join(import.meta.dirname, 'stdio-server.mjs');
let connection: McpConnection | undefined;
afterEach(async () => {
	await connection?.close();
	connection = undefined;
	vi.unstubAllEnvs();
});

describe('an MCP server on standard streams', () => {
	it('gets the variables it is given and no keys of the host, and its tools work', async () => {
		vi.stubEnv('ANTHROPIC_API_KEY', 'secret');
		const cwd = realpathSync(tmpdir());
		connection = await startMcpServer({
			name: 'variables',
			command: process.execPath,
			args: [SERVER],
			env: { GIVEN: 'yes' },
			cwd
		});
		const read = (name: string) => ({ name: 'variables__read', arguments: { name } });
		const { session, seen } = await fakeSession(
			[{ calls: [read('GIVEN'), read('ANTHROPIC_API_KEY')] }, { text: 'Ok.' }],
			{
				tools: connection.tools,
				profile: fakeProfile([])
			}
		);
		await session.submit('Read them').result;
		expect(ofType(seen, 'tool_call_end').map(({ output }) => output)).toEqual([
			`<untrusted source="variables (stdio variables)">\nGIVEN=yes in ${cwd}\n</untrusted>`,
			`<untrusted source="variables (stdio variables)">\nANTHROPIC_API_KEY= in ${cwd}\n</untrusted>`
		]);
	});

	it('is asked about under a name that no host has', async () => {
		connection = await startMcpServer({ name: 'variables', command: process.execPath, args: [SERVER] });
		const asked: unknown[] = [];
		const { session } = await fakeSession(
			[{ calls: [{ name: 'variables__read', arguments: { name: 'A' } }] }, { text: 'Ok.' }],
			{
				tools: connection.tools,
				profile: fakeProfile([]),
				mode: 'ask',
				askPermission: ({ rules }) => {
					asked.push(rules);
					return Promise.resolve({ kind: 'deny' });
				}
			}
		);
		await session.submit('Read it').result;
		expect(asked).toEqual([[{ kind: 'host', pattern: 'stdio variables' }]]);
	});

	it('that does not start or is none is named with its command', async () => {
		const start = (command: string, args: string[]) =>
			startMcpServer({ name: 'none', command, args, timeoutMs: 5_000 });
		await expect(start('/no/such/program', [])).rejects.toThrow(
			/The MCP server none at stdio none could not be used: .*ENOENT.* Check that `\/no\/such\/program` starts a server/
		);
		await expect(start(process.execPath, ['-e', ''])).rejects.toThrow(/Check that `.* -e ` starts a server/);
	});
});
