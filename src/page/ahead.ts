/** Preloads everything needed to open and display a project, in the order of use. */
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

/** Preloads what a displayed project will need soon. */
export function loadRest(): void {
	loadAll([() => import('./workbench/files/editor.ts'), () => import('./palette/QuickOpen.svelte')]);
}

/** Ignores failures: they occur again, and are reported, when the part is needed. */
function loadAll(parts: (() => Promise<unknown>)[]): void {
	for (const load of parts) load().catch(() => {});
}
