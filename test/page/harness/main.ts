import { mount } from 'svelte';
import App from '../../../src/App.svelte';
import { AppState } from '#page/app-state.svelte.ts';
import { useLanguage } from '#page/language.ts';
import { offline } from '#page/offline/offline.svelte.ts';
import UpdateNotice from '#page/offline/UpdateNotice.svelte';
import { installSandglassApi } from '#page/sandglass-api.ts';
import '#page/style/tokens.css';
import '#page/style/base.css';
import { harnessParts } from './parts.ts';

/**
 * Shows the page with stand-ins, in the browser's language:
 * `?flow=waiting|done|empty|importing|failing|first|trust|read-only|too-large|trouble|egress|outdated`.
 */
const target = document.getElementById('app');
if (!target) throw new Error('no #app');
await useLanguage();
const options = new URLSearchParams(location.search);
const app = new AppState(harnessParts(options));
installSandglassApi(app);
mount(App, { target, props: { app } });
app.start();
if (options.get('flow') === 'outdated') {
	mount(UpdateNotice, { target: document.body, props: { app } });
	offline.isOutdated = true;
}
