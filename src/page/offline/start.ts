import { mount } from 'svelte';
import type { AppState } from '../app-state.svelte.ts';
import { offline } from './offline.svelte.ts';
import UpdateNotice from './UpdateNotice.svelte';

/** Delay before checking again whether the page is busy. */
const LOOK_AGAIN_MS = 2_000;

/** Stores the page for offline use, and shows when there is a newer version. */
export function startOffline(app: AppState): void {
	mount(UpdateNotice, { target: document.body, props: { app } });
	startWhenQuiet(app);
}

/**
 * Fetching and storing tens of megabytes occupies a core for seconds, so it waits while a project opens or an agent
 * works.
 */
function startWhenQuiet(app: AppState): void {
	if (app.screen.kind === 'opening' || app.project?.working) setTimeout(startWhenQuiet, LOOK_AGAIN_MS, app);
	else void offline.start();
}
