import { mount } from 'svelte';
import type { AppState } from '../app-state.svelte.ts';
import { offline } from './offline.svelte.ts';
import UpdateNotice from './UpdateNotice.svelte';

/** Delay before checking again whether the page is busy. */
const LOOK_AGAIN_MS = 2_000;

/** Keeps the page for use without its server, and shows when there is a newer one. */
export function startOffline(app: AppState): void {
	mount(UpdateNotice, { target: document.body, props: { app } });
	startWhenQuiet(app);
}

/** Fetching and keeping tens of megabytes takes a core for seconds: not while a project opens or an agent works. */
function startWhenQuiet(app: AppState): void {
	if (app.screen.kind === 'opening' || app.project?.working) setTimeout(startWhenQuiet, LOOK_AGAIN_MS, app);
	else void offline.start();
}
