import { flushSync, mount, unmount } from 'svelte';
import { expect, it } from 'vitest';
import type { AppState } from '#page/app-state.svelte.ts';
import { offline } from '#page/offline/offline.svelte.ts';
import UpdateNotice from '#page/offline/UpdateNotice.svelte';
import { t } from '#page/strings/index.ts';

const told = () => document.querySelector('[role=status]')?.textContent.includes(t.offline.newer);

it('announces a newer version once no one would be interrupted, until it is put off', async () => {
	for (const [screen, status, isTold] of [
		['front', null, true],
		['opening', null, false],
		['project', 'working', false],
		['project', 'waiting', false],
		['project', 'idle', true],
		['shared', null, true]
	] as const) {
		const app = { screen: { kind: screen }, project: status && { status } } as unknown as AppState;
		offline.isOutdated = false;
		const notice = mount(UpdateNotice, { target: document.body, props: { app } });
		flushSync();
		expect(told(), `${screen} ${status}, with nothing newer`).toBe(false);
		offline.isOutdated = true;
		flushSync();
		expect(told(), `${screen} ${status}`).toBe(isTold);
		if (isTold) {
			[...document.querySelectorAll('button')].find(({ innerText }) => innerText === t.offline.later)!.click();
			flushSync();
			expect(told(), 'put off').toBe(false);
		}
		await unmount(notice);
	}
	offline.isOutdated = false;
});
