/** Entry files of tools that need a real machine. */
const TOOLS: [RegExp, string][] = [
	[
		/\/node_modules\/(puppeteer|cypress)\/.*\b(cli|bin|cypress)\b[^/]*$/,
		'it starts a browser, and a browser tab cannot start another. Test pages with `npx playwright test`, which runs here in the preview, or run these tests on a machine.'
	],
	[
		/\/node_modules\/electron\/cli\.js$/,
		'it opens windows of an operating system. Show the page in the preview, and start the application on a machine.'
	]
];

/** Returns why the tool with this entry file cannot run; `null` for all others. */
export function whyImpossible(file: string): string | null {
	const [, reason] = TOOLS.find(([entry]) => entry.test(file)) ?? [];
	const name = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1] ?? '';
	return reason === undefined ? null : `${name} cannot run in a browser tab: ${reason}`;
}
