import { mount } from 'svelte';
import App from './App.svelte';
import { AppState } from './page/app-state.svelte.ts';
import { useLanguage } from './page/language.ts';
import { partsInBrowser } from './page/parts-in-browser.ts';
import { installSandglassApi } from './page/sandglass-api.ts';
import './page/style/tokens.css';
import './page/style/base.css';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no place for the app.');

void useLanguage().then(() => {
	const app = new AppState(partsInBrowser());
	installSandglassApi(app);
	mount(App, { target, props: { app } });
	app.start();
});
