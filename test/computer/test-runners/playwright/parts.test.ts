import { expect, it } from 'vitest';
import { readTestArguments } from '#computer/test-runners/playwright/arguments.ts';
import { byRole, byText, callText } from '#computer/test-runners/playwright/browser/selectors.ts';
import { matchesUrl } from '#computer/test-runners/playwright/browser/url-pattern.ts';
import { serverAddress } from '#computer/test-runners/playwright/browser/addresses.ts';
import { readConfig, withoutEffect } from '#computer/test-runners/playwright/config.ts';
import { difference, inLine } from '#computer/test-runners/playwright/expect/print.ts';
import { columnIn } from '#computer/test-runners/playwright/reports/code-frame.ts';
import { fixtureNames } from '#computer/test-runners/playwright/run/fixtures.ts';

it('writes selectors and their words as Playwright does', () => {
	expect(byRole('button', { name: 'Say "hi"', exact: true })).toBe('internal:role=button[name="Say \\"hi\\""s]');
	expect(byRole('heading', { level: 2, name: /a>>b/i })).toBe('internal:role=heading[level=2][name=/a\\>\\>b/i]');
	expect(byText('Order')).toBe('internal:text="Order"i');
	expect(callText('getByRole', 'button', { name: "it's" })).toBe("getByRole('button', { name: 'it\\'s' })");
	expect(callText('getByText', /x/, {})).toBe('getByText(/x/)');
});

it('reads which fixtures a function takes', () => {
	expect(
		fixtureNames(async ({ page, request: api, greeting = '}' }: Record<string, unknown>) => [page, api, greeting])
	).toEqual(['page', 'request', 'greeting']);
	expect(fixtureNames(() => {})).toEqual([]);
	expect(fixtureNames(async ({}, info: unknown) => info)).toEqual([]);
});

it('prints values and differences as jest does', () => {
	expect(inLine({ b: [1, 'x'], a: undefined })).toBe('{"a": undefined, "b": [1, "x"]}');
	expect(difference(4, 3)).toBe('Expected: 4\nReceived: 3');
	expect(difference({ a: 1, b: 2 }, { a: 1, b: 3 })).toBe(
		'- Expected  - 1\n+ Received  + 1\n\n  Object {\n    "a": 1,\n-   "b": 2,\n+   "b": 3,\n  }'
	);
});

it('knows addresses of this computer, and matches them as Playwright does', () => {
	expect(serverAddress('/a?b#c', 'http://localhost:4600')).toMatchObject({ port: 4600, target: '/a?b#c' });
	expect(() => serverAddress('/a', undefined)).toThrow('Cannot navigate to invalid URL');
	expect(() => serverAddress('https://example.com/', undefined)).toThrow('is not on this computer');
	const base = 'http://localhost:4600';
	expect(matchesUrl(`${base}/about`, '/about', base)).toBe(true);
	expect(matchesUrl(`${base}/a/b?c=1`, '**/b?c=1', base)).toBe(true);
	expect(matchesUrl(`${base}/about`, /out$/, base)).toBe(true);
	expect(matchesUrl(`${base}/about`, '/other', base)).toBe(false);
});

it('reads the configuration and the command line', () => {
	const given = {
		testDir: './e2e',
		timeout: 5,
		use: { locale: 'de', trace: 'on' },
		projects: [{ name: 'a', use: { browserName: 'webkit' } }]
	};
	const config = readConfig(given, '/workspace', { retries: 2 });
	expect(config.projects).toMatchObject([{ name: 'a', testDir: '/workspace/e2e', timeoutMs: 5, retries: 2 }]);
	expect(withoutEffect(config)).toEqual([
		'use.locale has no effect in a browser tab.',
		"Tests for webkit run in this tab's own browser.",
		'Traces are not recorded in a browser tab.'
	]);
	expect(readTestArguments(['a.spec.ts:4', '-g', 'x', '--project', 'a', 'b', '--reporter=list,html'])).toMatchObject({
		filters: ['a.spec.ts:4'],
		grep: 'x',
		projects: ['a', 'b'],
		reporters: ['list', 'html']
	});
	expect(() => readTestArguments(['--shard=1/2'])).toThrow('--shard is not there');
});

it('points to what a line asserts or does', () => {
	expect(columnIn("\tawait expect(page.getByRole('x')).toHaveText('y');")).toBe(36);
	expect(columnIn("\tawait page.getByText('x').click();")).toBe(28);
	expect(columnIn("test('x', async ({ page }) => {")).toBe(1);
});
