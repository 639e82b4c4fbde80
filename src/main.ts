// First: schemas look at its setting when they are made.
import '#page/zod-without-eval.ts';
import { mount } from 'svelte';
import App from './App.svelte';
import { AppState } from '#page/app-state.svelte.ts';
import { useLanguage } from '#page/language.ts';
import { partsInBrowser } from '#page/parts-in-browser.ts';
import { installSandglassApi } from '#page/sandglass-api.ts';
import '#page/style/tokens.css';
import '#page/style/base.css';

/** Delay after which early clicks have been served, so that caching the page does not slow them. */
const SETTLED_MS = 5_000;

/** Only the build names itself; a development server has no worker to keep its page. */
const isBuilt = document.querySelector('meta[name="build"]') !== null;

/** Lets the page be kept for use without its server; one whose server is gone by now is not. */
async function keepPage(app: AppState): Promise<void> {
	try {
		(await import('#page/offline/start.ts')).startOffline(app);
	} catch (error) {
		console.warn('The page cannot be kept for use without its server.', error);
	}
}

const target = document.getElementById('app');
if (!target) throw new Error('The page has no place for the app.');

void useLanguage().then(() => {
	const app = new AppState(partsInBrowser());
	installSandglassApi(app);
	mount(App, { target, props: { app } });
	app.start();
	if (isBuilt) setTimeout(() => void keepPage(app), SETTLED_MS);
});
