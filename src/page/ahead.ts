/** Loads what opening a project and showing it takes, in the order it is wanted. */
export function loadProject(): void {
	loadAll([
		() => import('#computer/host/environment.ts'),
		() => import('./project/open.ts'),
		() => import('#workspace/import/import.ts'),
		() => import('./project/project.svelte.ts'),
		() => import('#workspace/workspace.ts'),
		() => import('#agent/session.ts'),
		() => import('#agent/profiles/for-model.ts'),
		() => import('./browser-models.ts'),
		() => import('./egress/web-page.ts'),
		() => import('./project/ProjectScreen.svelte'),
		() => import('./workbench/terminal/xterm.ts')
	]);
}

/** Loads what a project that is shown needs soon. */
export function loadRest(): void {
	loadAll([() => import('./workbench/files/editor.ts'), () => import('./palette/QuickOpen.svelte')]);
}

/** A failure here occurs again, and is reported, where the part is needed. */
function loadAll(parts: (() => Promise<unknown>)[]): void {
	for (const load of parts) load().catch(() => {});
}
