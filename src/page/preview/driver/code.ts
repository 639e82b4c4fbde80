import playwrightUrl from 'virtual:playwright-injected';
import driverUrl from './inside/main.ts?program';
import pictureUrl from './inside/picture.ts?program';

/** Parts of the driver, each loaded into a document on first use there. */
export type DriverPart = 'driver' | 'picture';

const addresses = { playwright: playwrightUrl, driver: driverUrl, picture: pictureUrl };
const texts = new Map<keyof typeof addresses, Promise<string>>();

/**
 * Source of a part of the driver for one document. `driver` is Playwright's injected script (selectors, checks before
 * actions, accessibility trees) with our code around it, `picture` takes screenshots. Fetched on first use.
 *
 * @param name global in which the document's first script stored the driver's communication functions
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
