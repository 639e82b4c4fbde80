import { describe, expect, it } from 'vitest';
import { mcpTool, type McpTool } from '#agent/extensions/mcp/tool.ts';
import type { ToolResult } from '#agent/tool.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { createHarness } from '#test/contract/tools/harness.ts';

const URL = 'https://a.example/mcp';
const listed: McpTool = {
	name: 'search',
	description: 'Searches.',
	inputSchema: { properties: { q: { type: 'string' } } }
};

function bound(answer: unknown, tool: McpTool = listed) {
	const calls: unknown[] = [];
	const call = (...given: unknown[]) => (calls.push(given), Promise.resolve(answer));
	const { context, proposals } = createHarness({} as ExecutionEnvironment);
	const binding = mcpTool({ server: 'notes', url: URL, call }, tool);
	return {
		binding,
		calls,
		context,
		proposals,
		run: (args: Record<string, unknown>) => binding.tool.execute(args, context)
	};
}
const result = (answer: unknown): Promise<ToolResult> => bound(answer).run({});
const marked = (text: string): string => `<untrusted source="notes (${URL})">\n${text}\n</untrusted>`;

describe('a tool of a server', () => {
	it('is shown under the name of its server, with its own parameters', () => {
		expect(bound(null).binding.definition).toEqual({
			name: 'notes__search',
			description: 'Searches.',
			parameters: { type: 'object', properties: { q: { type: 'string' } } }
		});
		const odd = bound(null, { name: 'a.b/c d', inputSchema: { type: 'string' } }).binding;
		expect(odd.definition).toMatchObject({
			name: 'notes__a_b_c_d',
			description: 'a.b/c d',
			parameters: { type: 'object' }
		});
		expect(odd.tool).toMatchObject({ name: 'notes__a_b_c_d', description: 'a.b/c d' });
		const long = bound(null, { name: 'x'.repeat(80), description: 'd'.repeat(2_001), inputSchema: {} }).binding
			.definition;
		expect(long.name).toBe(`notes__${'x'.repeat(57)}`);
		expect(long.description).toBe('d'.repeat(2_000));
	});

	it('reads where its server says so, and writes otherwise', () => {
		const access = (annotations?: McpTool['annotations']) =>
			bound(null, { ...listed, ...(annotations ? { annotations } : {}) }).binding.tool.access;
		expect([access(), access({}), access({ readOnlyHint: false }), access({ readOnlyHint: true })]).toEqual([
			'write',
			'write',
			'write',
			'read'
		]);
	});

	it('is proposed with its arguments, up to 200 characters, and called with all of them', async () => {
		const { run, calls, proposals, context } = bound({});
		await run({ q: 'x' });
		const long = { q: 'y'.repeat(192) };
		await run(long);
		const longer = { q: 'y'.repeat(193) };
		await run(longer);
		expect(proposals).toEqual(
			['{"q":"x"}', JSON.stringify(long), `${JSON.stringify(longer).slice(0, 200)}…`].map((shown) => ({
				kind: 'network',
				url: URL,
				description: `Call notes__search of the MCP server notes with ${shown}`
			}))
		);
		expect(calls).toEqual([{ q: 'x' }, long, longer].map((args) => ['search', args, context.signal]));
	});

	it.each<[string, unknown, object]>([
		[
			'texts',
			{
				content: [
					{ type: 'text', text: 'a' },
					{ type: 'text', text: 'b' }
				]
			},
			{ content: marked('a\nb'), isError: false }
		],
		[
			'a picture',
			{ content: [{ type: 'image', data: 'AA', mimeType: 'image/png' }] },
			{ content: '(no text)', images: [{ type: 'image', mediaType: 'image/png', data: 'AA' }], isError: false }
		],
		[
			'a resource',
			{ content: [{ type: 'resource', resource: { uri: 'file:///a', text: 't' } }] },
			{ content: marked('{"uri":"file:///a","text":"t"}'), isError: false }
		],
		[
			'a kind that is left out',
			{ content: [{ type: 'audio', data: 'AA' }] },
			{ content: marked('[audio left out]'), isError: false }
		],
		['data alone', { structuredContent: { a: 1 } }, { content: marked('{"a":1}'), isError: false }],
		[
			'data beside its text',
			{ content: [{ type: 'text', text: 'a' }], structuredContent: { a: 1 } },
			{ content: marked('a'), isError: false }
		],
		['nothing', {}, { content: '(no text)', isError: false }],
		['a failure', { content: [{ type: 'text', text: 'no' }], isError: true }, { content: marked('no'), isError: true }],
		[
			'what is no result',
			{ content: 'text' },
			{ content: 'The server answered with something that is no tool result.', isError: true }
		],
		['a broken text', { content: [{ type: 'text', text: 5 }] }, { content: marked('[text left out]'), isError: false }]
	])('answers with %s', async (_, answer, shown) => {
		expect(await result(answer)).toEqual(shown);
	});
});
