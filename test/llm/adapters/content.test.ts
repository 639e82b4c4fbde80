import { afterEach, describe, expect, it } from 'vitest';
import type { ContentPart, Message } from '#llm/types.ts';
import { type ModelServer, startModelServer } from '#test/model-server/server.ts';
import { ask, clientFor, user, wires } from '../wires.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const text = (words: string): ContentPart => ({ type: 'text', text: words });
const image: ContentPart = { type: 'image', mediaType: 'image/png', data: 'AAAA' };
const address: ContentPart = { type: 'image_url', url: 'https://example.com/cat.png' };
const sound: ContentPart = { type: 'audio', mediaType: 'audio/mpeg', data: 'BBBB' };
const paper: ContentPart = { type: 'document', mediaType: 'application/pdf', data: 'CCCC', name: 'paper.pdf' };

/** The parts of the user's message in each wire format; an error message if it refuses one. */
const written: Record<string, { image: unknown; address: unknown; sound: unknown; paper: unknown }> = {
	anthropic: {
		image: { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } },
		address: { type: 'image', source: { type: 'url', url: 'https://example.com/cat.png' } },
		sound: 'cannot take audio',
		paper: {
			type: 'document',
			source: { type: 'base64', media_type: 'application/pdf', data: 'CCCC' },
			title: 'paper.pdf'
		}
	},
	'openai-responses': {
		image: { type: 'input_image', detail: 'auto', image_url: 'data:image/png;base64,AAAA' },
		address: { type: 'input_image', detail: 'auto', image_url: 'https://example.com/cat.png' },
		sound: 'cannot take audio',
		paper: { type: 'input_file', filename: 'paper.pdf', file_data: 'data:application/pdf;base64,CCCC' }
	},
	'openai-chat': {
		image: { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
		address: { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } },
		sound: { type: 'input_audio', input_audio: { data: 'BBBB', format: 'mp3' } },
		paper: 'cannot take documents'
	},
	gemini: {
		image: { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
		address: { fileData: { fileUri: 'https://example.com/cat.png', mimeType: 'image/png' } },
		sound: { inlineData: { mimeType: 'audio/mpeg', data: 'BBBB' } },
		paper: { inlineData: { mimeType: 'application/pdf', data: 'CCCC' } }
	}
};

/** Positions of each wire's conversation, instructions and roles. */
const roles: Record<string, (body: Record<string, unknown>) => unknown> = {
	anthropic: ({ system, messages }) => [textsOf(system), rolesOf(messages)],
	'openai-responses': ({ instructions, input }) => [[instructions], rolesOf(input)],
	'openai-chat': ({ messages }) => [[], rolesOf(messages)],
	gemini: ({ systemInstruction, contents }) => [textsOf(Object(systemInstruction)['parts']), rolesOf(contents)]
};
const expectedRoles: Record<string, unknown> = {
	anthropic: [['Be brief.\n\nUse tabs.\n\nNo jokes.'], ['user', 'assistant', 'user']],
	'openai-responses': [
		['Be brief.'],
		['developer', 'user', 'user', 'function_call', 'function_call_output', 'developer', 'user']
	],
	'openai-chat': [[], ['system', 'system', 'user', 'user', 'assistant', 'tool', 'system', 'user']],
	gemini: [['Be brief.\n\nUse tabs.\n\nNo jokes.'], ['user', 'user', 'model', 'user'].slice(1)]
};

function textsOf(blocks: unknown): unknown[] {
	return Array.isArray(blocks) ? blocks.map((block: unknown) => Object(block)['text']) : [];
}
function rolesOf(messages: unknown): unknown[] {
	return Array.isArray(messages)
		? messages.map((message: unknown) => Object(message)['role'] ?? Object(message)['type'])
		: [];
}

describe.each(wires)('$name', (wire) => {
	it.each(['image', 'address', 'sound', 'paper'] as const)('takes or refuses %s beside text [U-9]', async (kind) => {
		server = await startModelServer({ name: 'test', turns: [{ text: 'I see.' }] });
		const part = { image, address, sound, paper }[kind];
		const messages: Message[] = [{ role: 'user', content: [text('Look:'), part] }];
		const answer = clientFor(wire, server.url).complete(ask(wire, '', { messages }));
		const expected = written[wire.name]?.[kind];
		if (typeof expected === 'string') {
			await expect(answer).rejects.toMatchObject({
				code: 'invalid_request',
				message: expect.stringContaining(expected)
			});
			expect(server.requests).toEqual([]);
			return;
		}
		await answer;
		const sent = JSON.stringify(server.requests[0]?.body);
		// Anthropic's cache breakpoint may also be on the part.
		expect(sent).toContain(JSON.stringify(expected).slice(0, -1));
		expect(sent).toContain('"Look:"');
	});

	it('gives each of the five roles its place [U-7]', async () => {
		server = await startModelServer({ name: 'test', turns: [{ text: 'ok' }] });
		const messages: Message[] = [
			{ role: 'developer', content: [text('Use tabs.')] },
			user('one'),
			user('two'),
			{ role: 'assistant', content: [{ type: 'tool_call', id: 'c1', name: 'Read', arguments: {} }] },
			{
				role: 'tool',
				content: [{ type: 'tool_result', callId: 'c1', toolName: 'Read', content: 'words', isError: false }]
			},
			{ role: 'system', content: [text('No jokes.')] },
			user('three')
		];
		await clientFor(wire, server.url).complete(ask(wire, '', { system: 'Be brief.', messages }));
		const body = Object(server.requests[0]?.body) as Record<string, unknown>;
		expect(roles[wire.name]?.(body)).toEqual(expectedRoles[wire.name]);
	});
});
