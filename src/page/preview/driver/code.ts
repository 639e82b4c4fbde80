import playwrightUrl from 'virtual:playwright-injected';
import driverUrl from './inside/main.ts?program';

let texts: Promise<[playwright: string, driver: string]> | null = null;

/**
 * Text of the driver for one document: Playwright's script for pages (selectors, checks before actions, accessibility
 * trees), and ours around it. Fetched when it is first used.
 *
 * @param name global under which the document's first script left what the driver talks through
 */
export async function driverCode(name: string): Promise<string> {
	texts ??= Promise.all([fetchText(playwrightUrl), fetchText(driverUrl)]).catch((error: unknown) => {
		texts = null;
		throw error;
	});
	const [playwright, driver] = await texts;
	return `(() => {
const SANDGLASS_HOST = globalThis[${JSON.stringify(name)}];
const SANDGLASS_PLAYWRIGHT = (() => { const module = {};\n${playwright}\nreturn module.exports.InjectedScript(); })();
${driver}
})();
//# sourceURL=sandglass-driver.js`;
}

async function fetchText(url: string): Promise<string> {
	const response = await fetch(url);
	if (!response.ok)
		throw new Error(`The preview's driver could not be loaded: the server answered ${response.status}.`);
	return response.text();
}
