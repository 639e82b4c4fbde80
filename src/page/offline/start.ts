import { mount } from 'svelte';
import type { AppState } from '../app-state.svelte.ts';
import { offline } from './offline.svelte.ts';
import UpdateNotice from './UpdateNotice.svelte';

/** Keeps the page for use without its server, and shows when there is a newer one. */
export function startOffline(app: AppState): void {
	mount(UpdateNotice, { target: document.body, props: { app } });
	void offline.start();
}
