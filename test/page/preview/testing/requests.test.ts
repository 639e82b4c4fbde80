import { expect, it, vi } from 'vitest';
import { answerPrograms } from '#page/preview/testing/answer-programs.ts';
import { parseTestRequest } from '#page/preview/testing/requests.ts';
import { PreviewError } from '#environment/preview.ts';

const parse = (request: unknown): unknown => parseTestRequest(JSON.stringify(request));

it('takes what a test asks and nothing else', () => {
	const go = { do: 'go', port: 4600, url: '/', withinMs: 100 };
	expect(parse(go)).toEqual(go);
	expect(parse({ ...go, extra: 1 })).toEqual(go);
	expect(parse({ ...go, port: 70_000 })).toBeNull();
	expect(parse({ ...go, withinMs: 1e9 })).toBeNull();
	expect(parse({ do: 'open', path: '/etc/passwd' })).toBeNull();
	expect(parse({ do: 'begin', context: '../other', size: null })).toBeNull();
	expect(parse({ do: 'step', step: { kind: 'wait_for', on: 'x' }, withinMs: 1 })).toBeNull();
	expect(parse({ do: 'step', step: { kind: 'click', on: 'x'.repeat(6_000) }, withinMs: 1 })).toBeNull();
	expect(
		parse({
			do: 'probe',
			probe: { kind: 'expect', selector: 'h1', check: { expression: '__proto__', isNot: false } },
			withinMs: 1
		})
	).toBeNull();
	expect(parseTestRequest('{')).toBeNull();
});

it('refuses a page where the browser does not keep it from the network', async () => {
	const test = vi.fn();
	const answer = answerPrograms({ test }, false);
	const go = JSON.stringify({ do: 'go', port: 4600, url: '/', withinMs: 100 });
	expect(JSON.parse(await answer(go))).toMatchObject({ ok: false, message: expect.stringContaining('Chromium 152') });
	expect(test).not.toHaveBeenCalled();
});

it('answers one request after another, and says what went wrong with one', async () => {
	const order: string[] = [];
	let release = (): void => {};
	const held = new Promise<void>((resolve) => (release = resolve));
	const test = vi.fn(async (request: { do: string }) => {
		order.push(`${request.do} begins`);
		if (request.do === 'reload') {
			await held;
			throw new PreviewError('It is gone.');
		}
		return null;
	});
	const answer = answerPrograms({ test: test as never }, true);
	const first = answer(JSON.stringify({ do: 'reload', withinMs: 1 }));
	const second = answer(JSON.stringify({ do: 'end' }));
	await vi.waitFor(() => expect(order).toEqual(['reload begins']));
	release();
	expect(JSON.parse(await first)).toEqual({ ok: false, message: 'It is gone.' });
	expect(JSON.parse(await second)).toEqual({ ok: true, value: null });
	expect(order).toEqual(['reload begins', 'end begins']);
	expect(JSON.parse(await answer('{"do":"other"}'))).toMatchObject({ ok: false });
});
