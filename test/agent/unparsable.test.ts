import { afterEach, describe, expect, it } from 'vitest';
import type { ContentPart } from '#llm/types.ts';
import { clientFor, wires } from '#test/llm/wires.ts';
import { startModelServer, type ModelServer } from '#test/model-server/server.ts';
import { fakeSession, ofType } from './fake-session.ts';
import { fakeProfile } from './fake-tools.ts';

let server: ModelServer | undefined;
afterEach(async () => {
	await server?.close();
	server = undefined;
});

const BROKEN = 'The response broke off before it was complete. Try again.';
/** Invalid responses, and the error reported for each. */
const garbage = [
	['<html>502 Bad Gateway</html>', BROKEN],
	['event: message\ndata: {"type": "cut', BROKEN],
	['event: message\ndata: {"type": "cut\n\n', 'The response could not be read: it was not valid JSON. Try again.'],
	['data: 5\n\ndata: [[]]\n\n', BROKEN]
];

describe.each(wires)('over $name', (wire) => {
	const profile = fakeProfile(undefined, { provider: wire.provider, model: wire.model });

	it.each(garbage)(
		'an answer that cannot be parsed is an error, and the session goes on: %j [J.9-5.2]',
		async (body = '', said) => {
			const fault = { fault: { kind: 'garbage' as const, body } };
			server = await startModelServer({ name: 'garbage', turns: [fault, fault, fault, { text: 'Here I am.' }] });
			const { session, seen } = await fakeSession([], {
				client: clientFor(wire, server.url),
				profile,
				streamRetry: { attempts: 0 }
			});
			const failed = await session.submit('Hello').result;
			expect(failed.stopReason).toBe('error');
			expect(failed.error?.message).toBe(said);
			expect(ofType(seen, 'error')).toMatchObject([{ fatal: true, error: failed.error }]);
			expect(session.state).toBe('idle');
			for (let turn = 0; turn < 2; turn++) await session.submit('Again').result;
			expect(await session.submit('And now?').result).toMatchObject({ stopReason: 'end_turn', text: 'Here I am.' });
		}
	);

	it('a recording or document it cannot take is refused before anything is sent [A-20]', async () => {
		server = await startModelServer({ name: 'attached', turns: [{ text: 'Read.' }] });
		const { session } = await fakeSession([], { client: clientFor(wire, server.url), profile });
		const paper: ContentPart = { type: 'document', mediaType: 'application/pdf', data: 'CCCC', name: 'paper.pdf' };
		const result = await session.submit([{ type: 'text', text: 'What does it say?' }, paper]).result;
		if (wire.name === 'openai-chat') {
			expect(result.error?.message).toContain('cannot take documents. Remove it or choose another model.');
			expect(server.requests).toEqual([]);
			// It remains in the log, and the conversation continues without it.
			expect((await session.submit('Then answer without it.').result).text).toBe('Read.');
			const sent = JSON.stringify(server.requests[0]?.body);
			expect(sent).not.toContain('CCCC');
			expect(sent).toMatch(/What does it say\?.*\[Left out: [^\]]* cannot take documents\.\].*Then answer without it/);
		} else {
			expect(result.text).toBe('Read.');
			expect(JSON.stringify(server.requests[0])).toContain('CCCC');
		}
	});
});
