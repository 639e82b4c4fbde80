import { describe, expect, it } from 'vitest';
import { MessageAssembler } from '#llm/adapters/assembler.ts';
import { eventWire } from '#llm/adapters/event-wire.ts';
import { closedSchema, requiresEverything } from '#llm/adapters/response-schema.ts';
import { runWire, type WireState } from '#llm/adapters/run.ts';
import { unsupported, withoutUnsupported } from '#llm/adapters/unsupported.ts';
import type { ContentPart, Message } from '#llm/types.ts';
import { collect, only } from '../wires.ts';

describe('the pieces of a response', () => {
	it('become text and thinking, one after the other, each with its ends', () => {
		const assembler = new MessageAssembler();
		assembler.reasoning('Hm');
		assembler.reasoning('');
		assembler.reasoning('.');
		expect(assembler.isReasoning).toBe(true);
		assembler.closeSegment({ signature: 's', provider: { name: 'p' } as never });
		expect(assembler.isReasoning).toBe(false);
		assembler.text('a');
		assembler.text('b');
		assembler.closeAll();
		assembler.closeSegment();
		expect(assembler.take()).toEqual([
			{ type: 'reasoning_start', id: 'segment_1' },
			{ type: 'reasoning_delta', id: 'segment_1', delta: 'Hm' },
			{ type: 'reasoning_delta', id: 'segment_1', delta: '.' },
			{ type: 'reasoning_end', id: 'segment_1', text: 'Hm.' },
			{ type: 'text_start', id: 'segment_2' },
			{ type: 'text_delta', id: 'segment_2', delta: 'a' },
			{ type: 'text_delta', id: 'segment_2', delta: 'b' },
			{ type: 'text_end', id: 'segment_2', text: 'ab' }
		]);
		expect(assembler.take()).toEqual([]);
		expect(assembler.message()).toEqual({
			role: 'assistant',
			content: [
				{ type: 'thinking', text: 'Hm.', signature: 's', provider: { name: 'p' } },
				{ type: 'text', text: 'ab' }
			]
		});
	});

	it('leave no empty text, but one that is still open', () => {
		const assembler = new MessageAssembler();
		expect(assembler.isEmpty).toBe(true);
		assembler.text('');
		expect(assembler.isEmpty).toBe(false);
		expect(assembler.message().content).toHaveLength(1);
		assembler.closeSegment({ signature: 's' });
		expect(assembler.message().content).toEqual([]);
		assembler.reasoning('');
		assembler.closeSegment();
		expect(assembler.message().content).toEqual([{ type: 'thinking', text: '' }]);
	});

	it('become calls, also several at once, and end what was open before', () => {
		const assembler = new MessageAssembler();
		assembler.text('x');
		expect(assembler.hasToolCalls).toBe(false);
		assembler.startCall('0', 'a', 'Read');
		assembler.startCall('1', 'b', 'patch', true);
		expect([assembler.hasToolCalls, assembler.hasCall('1'), assembler.hasCall('2')]).toEqual([true, true, false]);
		assembler.take();
		assembler.callDelta('0', '{"path":"a');
		// Later pieces add to the known arguments.
		const first = structuredClone(assembler.take());
		assembler.callDelta('1', '*** Begin');
		assembler.callDelta('0', '');
		assembler.callDelta('2', 'nobody');
		assembler.callDelta('0', 'b"}');
		assembler.endCall('2');
		assembler.endCall('0', undefined, { id: 'o' } as never);
		assembler.closeAll();
		expect(assembler.hasCall('0')).toBe(false);
		const read = { type: 'tool_call', id: 'a', name: 'Read', arguments: { path: 'ab' }, provider: { id: 'o' } };
		const patch = { type: 'tool_call', id: 'b', name: 'patch', arguments: { input: '*** Begin' } };
		expect([...first, ...assembler.take()]).toEqual([
			{ type: 'tool_call_delta', id: 'a', delta: '{"path":"a', partialArguments: { path: 'a' } },
			{ type: 'tool_call_delta', id: 'b', delta: '*** Begin', partialArguments: { input: '*** Begin' } },
			{ type: 'tool_call_delta', id: 'a', delta: 'b"}', partialArguments: { path: 'ab' } },
			{ type: 'tool_call_end', call: read },
			{ type: 'tool_call_end', call: patch }
		]);
		expect(assembler.message().content).toEqual([{ type: 'text', text: 'x' }, read, patch]);
	});

	it.each<[string, string | undefined, object]>([
		['{"a":1}', undefined, { arguments: { a: 1 } }],
		['{"a":1}', '{"a":2}', { arguments: { a: 2 } }],
		[' ', undefined, { arguments: {} }],
		['[1]', undefined, { arguments: {}, rawArguments: '[1]' }],
		['{"a"', undefined, { arguments: {}, rawArguments: '{"a"' }]
	])('have the arguments %s, and at the end %s', (text, whole, call) => {
		const assembler = new MessageAssembler();
		assembler.startCall('0', 'a', 'Read');
		assembler.callDelta('0', text);
		assembler.endCall('0', whole);
		expect(assembler.message().content).toEqual([{ type: 'tool_call', id: 'a', name: 'Read', ...call }]);
	});

	it('may be parts without events of their own, which end what is open', () => {
		const assembler = new MessageAssembler();
		assembler.text('x');
		const part: ContentPart = { type: 'redacted_thinking', data: 'd' } as ContentPart;
		assembler.add(part);
		expect(assembler.take().at(-1)).toEqual({ type: 'text_end', id: 'segment_1', text: 'x' });
		expect(assembler.message().content).toEqual([{ type: 'text', text: 'x' }, part]);
	});
});

describe('the schema of a response', () => {
	const object = (properties: object, fields: object = {}) => ({ type: 'object', properties, ...fields });

	it('allows no further properties, at any depth, and says nothing of its dialect', () => {
		const schema = {
			$schema: 'x',
			...object({
				a: { type: 'array', items: object({ b: { type: 'string' } }) },
				c: { anyOf: [object({}), { type: 'null' }] }
			})
		};
		const before = structuredClone(schema);
		expect(closedSchema(schema)).toEqual(
			object(
				{
					a: { type: 'array', items: object({ b: { type: 'string' } }, { additionalProperties: false }) },
					c: { anyOf: [object({}, { additionalProperties: false }), { type: 'null' }] }
				},
				{ additionalProperties: false }
			)
		);
		expect(schema).toEqual(before);
		expect(closedSchema({ type: 'object', additionalProperties: { type: 'string' } })).toEqual({
			type: 'object',
			additionalProperties: { type: 'string' }
		});
		const named = { type: 'object', properties: { properties: { type: 'string' } } };
		expect(closedSchema({ properties: named.properties })).toEqual({ properties: named.properties });
		expect(closedSchema(object({ properties: named }))).toEqual(
			object({ properties: { ...named, additionalProperties: false } }, { additionalProperties: false })
		);
		expect(closedSchema(object({}, { additionalProperties: true }))).toEqual(
			object({}, { additionalProperties: true })
		);
	});

	it.each<[boolean, unknown]>([
		[true, object({ a: { type: 'string' } }, { required: ['a'] })],
		[false, object({ a: { type: 'string' } })],
		[false, object({ a: { type: 'string' }, b: { type: 'string' } }, { required: ['a'] })],
		[false, object({ a: object({ b: {} }) }, { required: ['a'] })],
		[false, { anyOf: [object({}), object({ a: {} })] }],
		[true, { type: 'object' }],
		[true, 'text'],
		[true, null],
		[true, object({ a: { type: 'array', items: object({ b: {} }, { required: ['b'] }) } }, { required: ['a'] })]
	])('is enforced: %s for %j', (isEnforced, schema) => {
		expect(requiresEverything(schema)).toBe(isEnforced);
	});
});

describe('what a wire format cannot take', () => {
	const config = { name: 'compatible-local' } as never;
	const image: ContentPart = { type: 'image', mediaType: 'image/png', data: 'A' };
	const text: ContentPart = { type: 'text', text: 'Look.' };
	const result = (content: string): ContentPart => ({
		type: 'tool_result',
		callId: 'c',
		toolName: 't',
		content,
		images: [image as never],
		isError: false
	});
	const refused = (part: ContentPart): string | null =>
		part.type === 'image' || (part.type === 'tool_result' && part.images?.length) ? 'pictures' : null;
	const note = '[Left out: The server "local" cannot take pictures.]';

	it('is an error in the newest message of the user', () => {
		const messages: Message[] = [{ role: 'user', content: [image] }];
		expect(() => withoutUnsupported(config, messages, refused)).toThrow(
			'The server "local" cannot take pictures. Remove it or choose another model.'
		);
		expect(unsupported(config, 'sound')).toMatchObject({ code: 'invalid_request', provider: 'compatible-local' });
	});

	it('is a note in earlier ones and in results', () => {
		const messages: Message[] = [
			{ role: 'user', content: [text, image] },
			{ role: 'tool', content: [result('A plot'), result('')] },
			{ role: 'user', content: [text] },
			{ role: 'tool', content: [result('Later')] }
		];
		const left = withoutUnsupported(config, messages, refused);
		expect(left[0]?.content).toEqual([text, { type: 'text', text: note }]);
		expect(left[1]?.content).toEqual(
			[`A plot\n${note}`, note].map((content) => ({
				type: 'tool_result',
				callId: 'c',
				toolName: 't',
				content,
				isError: false
			}))
		);
		expect(left[3]?.content).toMatchObject([{ content: `Later\n${note}` }]);
	});

	it('leaves messages without it as they are', () => {
		const messages: Message[] = [{ role: 'user', content: [text] }];
		expect(withoutUnsupported(config, messages, refused)).toBe(messages);
	});
});

describe('a response', () => {
	/** Runs a response for a consumer that applies this at once. */
	const respond = (apply: (state: WireState) => void, model = 'gpt-5.5') => {
		const connection = { closed: 0 };
		const events = runWire('openai', { provider: 'openai', model, messages: [] }, async (state) => {
			const items = [[{}], null];
			return {
				next: async () => items.shift() ?? null,
				read: () => apply(state),
				close: () => void connection.closed++
			};
		});
		return { events, connection };
	};

	it.each(['gpt-5.5', 'unheard-of'])('of %s may be empty', async (model) => {
		const { events } = respond((state) => (state.finishReason = 'stop'), model);
		expect(only(await collect(events), 'finish').response).toMatchObject({
			finishReason: 'stop',
			message: { content: [] }
		});
	});

	it('that is empty because the request was too long fails as such', async () => {
		const { events } = respond((state) => {
			state.finishReason = 'stop';
			state.usage.inputTokens = 100_000_000;
		});
		expect(only(await collect(events), 'error').error).toMatchObject({ code: 'context_length', provider: 'openai' });
	});

	it.each([
		['stop', 'tool_calls'],
		['length', 'length']
	] as const)('with a call that ends with %s ends with %s', async (given, finishReason) => {
		const { events } = respond((state) => {
			state.assembler.startCall('0', 'a', 'Read');
			state.finishReason = given;
		});
		expect(only(await collect(events), 'finish').response.finishReason).toBe(finishReason);
	});

	it('without a reason for its end was cut off', async () => {
		const { events } = respond(({ assembler }) => assembler.text('a'));
		const { error } = only(await collect(events), 'error');
		expect(error.message).toContain('broke off before it was complete');
	});

	it('lets go of its connection, also when it fails and when nobody reads on', async () => {
		const whole = respond((state) => (state.finishReason = 'stop'));
		const failed = respond(() => {
			throw new Error('unreadable');
		});
		await Promise.all([whole, failed].map(({ events }) => collect(events)));
		const left = respond(({ assembler }) => assembler.text('a'));
		for await (const { type } of left.events) if (type === 'text_delta') break;
		for (const { connection } of [whole, failed, left]) expect(connection.closed).toBe(1);
	});
});

describe('a response of events', () => {
	const wireOf = (response: Response) => eventWire('openai', response, () => undefined);

	it('is cancelled while it is open', async () => {
		let cancelled = 0;
		const body = new ReadableStream({
			start: (controller) => controller.enqueue(new TextEncoder().encode('data: {}\n\n')),
			cancel: () => void cancelled++
		});
		const wire = wireOf(new Response(body));
		expect(await wire.next()).toEqual([{ data: '{}' }]);
		wire.close();
		await expect.poll(() => cancelled).toBe(1);
	});

	it('may have no body', async () => {
		const wire = wireOf(new Response(null));
		expect(await wire.next()).toBeNull();
		expect(() => wire.close()).not.toThrow();
	});

	it('is an error only where nothing else arrived', async () => {
		const error = '{"error":{"message":"Overloaded"}}\n';
		await expect(wireOf(new Response(error)).next()).resolves.toEqual([]);
		const whole = wireOf(new Response(`data: {}\n\n${error}`));
		expect(await whole.next()).toHaveLength(1);
		expect(await whole.next()).toEqual([]);
		const refused = wireOf(new Response(error));
		await refused.next();
		await expect(refused.next()).rejects.toMatchObject({ message: expect.stringContaining('Overloaded') });
	});
});
