import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { inTime } from '#test/in-time.ts';
import { connectMcpServer, connectOver } from '#agent/extensions/mcp/connect.ts';

/** Connects to a server that lists its tools in pages of the given size. */
async function paged(total: number, size: number, instructions?: string) {
	const cursors: (string | undefined)[] = [];
	const server = new Server(
		{ name: 'paged', version: '1' },
		{ capabilities: { tools: {} }, ...(instructions === undefined ? {} : { instructions }) }
	);
	server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
		cursors.push(params?.cursor);
		const from = Number(params?.cursor ?? 0);
		const names = Array.from({ length: Math.min(size, total - from) }, (_, index) => `tool_${from + index}`);
		const tools = names.map((name) => ({ name, inputSchema: { type: 'object' as const } }));
		return { tools, ...(from + size < total ? { nextCursor: String(from + size) } : {}) };
	});
	const [ours, theirs] = InMemoryTransport.createLinkedPair();
	await server.connect(theirs as Parameters<typeof server.connect>[0]);
	const connection = await connectOver({
		name: 'paged',
		address: 'memory',
		advice: 'Look again.',
		transport: () => Promise.resolve(ours)
	});
	await connection.close();
	return { connection, cursors };
}

describe('the tools of an MCP server', () => {
	it('are read page by page', async () => {
		const { connection, cursors } = await paged(5, 2, 'Be careful.');
		expect(cursors).toEqual([undefined, '2', '4']);
		const names = ['tool_0', 'tool_1', 'tool_2', 'tool_3', 'tool_4'];
		expect(connection.tools.map(({ definition }) => definition.name)).toEqual(names.map((name) => `paged__${name}`));
		expect(connection.instructions).toBe('Be careful.');
	});

	it('are not read for ever: a server may always name another page', async () => {
		const { connection, cursors } = await paged(1_000_000, 400);
		expect(cursors).toHaveLength(3);
		expect(connection.tools).toHaveLength(1_200);
		expect(connection.instructions).toBe('');
		// More than a thousand tools are read completely.
		expect((await paged(1_200, 500)).connection.tools).toHaveLength(1_200);
	});
});

describe('a server that cannot be used', () => {
	it('has a name and an address that make sense', async () => {
		await expect(connectMcpServer({ name: 'a', url: 'nowhere' })).rejects.toThrow(
			'“nowhere” is no address. Give one like https://host/mcp.'
		);
		const url = 'http://127.0.0.1:1/mcp';
		for (const name of ['', 'a b', 'x'.repeat(33)])
			await expect(connectMcpServer({ name, url })).rejects.toThrow(
				`“${name}” is no name for a server. Take up to 32 letters, digits, _ and -.`
			);
	});

	it('says why, and what to check', async () => {
		const fetch = () => Promise.reject(new Error('no route'));
		await expect(connectMcpServer({ name: 'notes', url: 'https://a.example/mcp', fetch })).rejects.toThrow(
			/^The MCP server notes at https:\/\/a\.example\/mcp could not be used: .*no route.*\. Check its address and key\.$/
		);
	});
});

describe('an MCP server in reach', () => {
	/** Connects to a server without tools that does not answer one kind of request, and returns the outcome. */
	async function reached(silent?: 'initialize' | 'tools/list') {
		const server = new Server({ name: 'quiet', version: '1' }, { capabilities: { tools: {} } });
		server.setRequestHandler(ListToolsRequestSchema, () =>
			silent === 'tools/list' ? new Promise(() => undefined) : { tools: [] }
		);
		const [ours, theirs] = InMemoryTransport.createLinkedPair();
		if (silent !== 'initialize') await server.connect(theirs as Parameters<typeof server.connect>[0]);
		let isClosed = false;
		server.onclose = () => (isClosed = true);
		const transport = () => Promise.resolve(ours);
		const endpoint = { name: 'quiet', address: 'memory', advice: 'Look again.', timeoutMs: 100, transport };
		return { server, isClosed: () => isClosed, connecting: inTime(connectOver(endpoint), 'the connection') };
	}

	it('is told who asks, and is left when the connection is closed', async () => {
		const { server, isClosed, connecting } = await reached();
		const connection = await connecting;
		expect(server.getClientVersion()).toMatchObject({ name: 'sandglass', version: '1' });
		expect(isClosed()).toBe(false);
		await connection.close();
		expect(isClosed()).toBe(true);
	});

	it.each(['initialize', 'tools/list'] as const)(
		'is not waited for without end where %s is not answered',
		async (silent) => {
			const { connecting } = await reached(silent);
			await expect(connecting).rejects.toMatchObject({
				name: 'McpError',
				code: 'mcp',
				message: expect.stringMatching(
					/^The MCP server quiet at memory could not be used: .*timed out.*\. Look again\.$/i
				)
			});
		}
	);
});
