import playwrightUrl from 'virtual:playwright-injected';
import driverUrl from './inside/main.ts?program';
import pictureUrl from './inside/picture.ts?program';

/** Parts of the driver, each loaded into a document when it is first used there. */
export type DriverPart = 'driver' | 'picture';

const addresses = { playwright: playwrightUrl, driver: driverUrl, picture: pictureUrl };
const texts = new Map<keyof typeof addresses, Promise<string>>();

/**
 * Text of a part of the driver for one document. `driver` is Playwright's script for pages (selectors, checks before
 * actions, accessibility trees) with ours around it, `picture` draws. Fetched when it is first used.
 *
 * @param name global under which the document's first script left what the driver talks through
 */
export async function driverCode(name: string, part: DriverPart): Promise<string> {
	const [own, playwright] = await Promise.all([text(part), part === 'driver' ? text('playwright') : '']);
	const script = `(() => { const module = {};\n${playwright}\nreturn module.exports?.InjectedScript(); })()`;
	return `(() => {
const SANDGLASS_HOST = globalThis[${JSON.stringify(name)}];
${part === 'driver' ? `const SANDGLASS_PLAYWRIGHT = ${script};` : ''}
${own}
})();
//# sourceURL=sandglass-${part}.js`;
}

function text(name: keyof typeof addresses): Promise<string> {
	const known = texts.get(name) ?? fetchText(addresses[name]);
	texts.set(name, known);
	known.catch(() => texts.delete(name));
	return known;
}

async function fetchText(url: string): Promise<string> {
	const response = await fetch(url);
	if (!response.ok)
		throw new Error(`The preview's driver could not be loaded: the server answered ${response.status}.`);
	return response.text();
}
