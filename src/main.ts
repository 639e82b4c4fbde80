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

const target = document.getElementById('app');
if (!target) throw new Error('The page has no place for the app.');

void useLanguage().then(() => {
	const app = new AppState(partsInBrowser());
	installSandglassApi(app);
	mount(App, { target, props: { app } });
	app.start();
	if (isBuilt) setTimeout(() => void import('#page/offline/start.ts').then((it) => it.startOffline(app)), SETTLED_MS);
});
