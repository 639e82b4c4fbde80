import { expect, it } from 'vitest';
import { withLargeBody } from '#page/models/large-body.ts';

/** A `fetch` that records its arguments, and the time of the call. */
function recorder() {
	const sent: RequestInit[] = [];
	const fetch = withLargeBody(async (_, init = {}) => {
		sent.push(init);
		return new Response();
	});
	return { sent, fetch };
}

const headers = { 'content-type': 'application/json' };

it('sends a large text as a blob with the same bytes and headers, in a later task', async () => {
	const { sent, fetch } = recorder();
	const body = JSON.stringify({ text: 'ü'.repeat(70_000) });
	const { signal } = new AbortController();
	const answer = fetch('/api/llm', { method: 'POST', body, headers, signal });
	await Promise.resolve();
	expect(sent).toEqual([]);
	await answer;
	const [init] = sent;
	expect(init).toMatchObject({ method: 'POST', headers, signal });
	expect(init?.body).toBeInstanceOf(Blob);
	expect((init?.body as Blob).type).toBe('');
	expect(await (init?.body as Blob).text()).toBe(body);
});

it('leaves other bodies as they are', async () => {
	const { sent, fetch } = recorder();
	for (const body of ['{}', new Uint8Array(100_000), undefined]) await fetch('/api/llm', { method: 'POST', body });
	expect(sent.map(({ body }) => body)).toEqual(['{}', new Uint8Array(100_000), undefined]);
});
