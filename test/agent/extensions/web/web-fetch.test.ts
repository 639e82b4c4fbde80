import { describe, expect, it } from 'vitest';
import type { FetchedPage, FetchPage } from '#agent/extensions/web/fetch-page.ts';
import { webFetch } from '#agent/extensions/web/web-fetch.ts';
import { ToolRegistry } from '#agent/tools/registry.ts';
import type { ToolContext } from '#agent/tool.ts';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { createHarness } from '#test/contract/tools/harness.ts';

function fetching(
	page: Partial<FetchedPage>,
	{ asksUser = false, ...overrides }: Partial<ToolContext> & { asksUser?: boolean } = {}
) {
	const asked: string[] = [];
	const fetchPage: FetchPage = (url) => {
		asked.push(url);
		return Promise.resolve({ status: 200, contentType: 'text/plain', url, text: '', ...page });
	};
	if (asksUser) fetchPage.asksUser = true;
	const { context, proposals } = createHarness({} as ExecutionEnvironment, overrides);
	const registry = new ToolRegistry([webFetch(fetchPage, 'openai')]);
	const call = (args: Record<string, unknown>) =>
		registry.execute({ type: 'tool_call', id: 'c', name: 'web_fetch', arguments: args }, context);
	return { asked, proposals, call };
}
const marked = (text: string, source = 'https://a.example/'): string =>
	`<untrusted source="${source}">\n${text}\n</untrusted>`;

describe('a page of the web', () => {
	it('is proposed, read and marked, with what it is for the page', async () => {
		const { call, proposals, asked } = fetching({ text: 'Hello.', url: 'https://b.example/' });
		expect(await call({ url: 'https://a.example' })).toEqual({
			content: marked('Hello.', 'https://b.example/'),
			fullOutput: 'Hello.',
			details: { url: 'https://b.example/', status: 200, contentType: 'text/plain', characters: 6 },
			isError: false
		});
		expect(proposals).toEqual([{ kind: 'network', url: 'https://a.example/', description: 'Read https://a.example/' }]);
		expect(asked).toEqual(['https://a.example/']);
	});

	it('is not asked about twice, nor read once the run was stopped', async () => {
		const own = fetching({}, { asksUser: true });
		await own.call({ url: 'http://a.example/' });
		expect([own.proposals, own.asked]).toEqual([[], ['http://a.example/']]);
		const controller = new AbortController();
		const stopped = fetching({}, { signal: controller.signal, propose: () => (controller.abort(), Promise.resolve()) });
		expect((await stopped.call({ url: 'https://a.example/' })).content).toBe('Operation aborted');
		expect(stopped.asked).toEqual([]);
	});

	it('comes in parts of 20,000 characters', async () => {
		const text = `${'a'.repeat(20_000)}${'b'.repeat(20_000)}c`;
		const { call } = fetching({ text });
		const part = async (offset?: number) =>
			(await call({ url: 'https://a.example/', ...(offset === undefined ? {} : { offset }) })).content;
		expect(await part()).toBe(`${marked('a'.repeat(20_000))}\n[20001 more characters. Use offset=20000 to read on.]`);
		expect(await part(20_000)).toBe(`${marked('b'.repeat(20_000))}\n[1 more characters. Use offset=40000 to read on.]`);
		expect(await part(20_001)).toBe(marked(`${'b'.repeat(19_999)}c`));
		expect(await part(50_000)).toBe(marked(''));
	});

	it.each([
		[399, false],
		[400, true],
		[404, true]
	])('with the status %i is a failure: %s', async (status, isError) => {
		const { content, isError: failed } = await fetching({ status, text: 'x' }).call({ url: 'https://a.example/' });
		expect(failed).toBe(isError);
		expect(content).toBe(`${isError ? `The server answered ${status}.\n` : ''}${marked('x')}`);
	});

	it.each(['text/html; charset=utf-8', 'application/xhtml+xml', 'TEXT/HTML'])(
		'of %s is read as text',
		async (contentType) => {
			const text =
				'<html><head><style>b{}</style></head><body><nav>Menu</nav><script>x()</script><p>One <a href="https://b.example">https://b.example</a> <a href="https://c.example">link</a><img src="a.png" alt="Alt"></p></body></html>';
			expect((await fetching({ contentType, text }).call({ url: 'https://a.example/' })).content).toBe(
				marked('One https://b.example link [https://c.example]')
			);
			const long = `<p>${'word '.repeat(60)}</p>`;
			expect((await fetching({ contentType, text: long }).call({ url: 'https://a.example/' })).fullOutput).toBe(
				'word '.repeat(60).trim()
			);
		}
	);

	it('of another kind is left as it is', async () => {
		expect(
			(await fetching({ contentType: 'text/htmlish', text: '<p>x</p>' }).call({ url: 'https://a.example/' })).content
		).toBe(marked('<p>x</p>'));
	});

	it.each(['no address', 'ftp://a.example/', 'file:///etc/passwd', 'xhttps://a.example', 'javascript:1'])(
		'is refused for %s',
		async (url) => {
			expect(await fetching({}).call({ url })).toMatchObject({
				isError: true,
				content: `${url} is no address of a page. Give one that begins with https://.`
			});
		}
	);

	it('has the name that each family knows', () => {
		const name = (profile: string) => webFetch(() => Promise.reject(new Error()), profile).definition.name;
		expect([name('anthropic'), name('openai'), name('pi')]).toEqual(['WebFetch', 'web_fetch', 'web_fetch']);
	});
});
