import path from 'node:path';
import type { Rolldown } from 'vite';

/** Declares, with its dynamic imports, what every project loads. */
const AHEAD = page('ahead.ts');
/** Parts that are loaded later, mostly large libraries: they keep separate chunks. */
const LATER = ['workbench/terminal/xterm.ts', 'workbench/files/editor.ts'].map(page);

/**
 * Modules that are loaded together, in layers. A layer contains everything that its roots import, so that no chunk
 * imports one of a later layer: with circular chunks, a module may run before the one it extends.
 */
const LAYERS: { name: string; rootsOf: (graph: Rolldown.ChunkingContext) => string[] }[] = [
	{ name: 'replay', rootsOf: () => [page('front/Hero.svelte')] },
	{ name: 'share', rootsOf: () => [page('share/SharedScreen.svelte')] },
	{
		name: 'project',
		rootsOf: (graph) => graph.getModuleInfo(AHEAD)?.dynamicallyImportedIds.filter((id) => !LATER.includes(id)) ?? []
	}
];

/**
 * Groups modules that are loaded together into one file: by default each set of importers gets a separate file, so that
 * opening a project took 168 requests, half of them for less than 1 KB.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
	let layers: Map<string, string> | undefined;
	return [
		{ name: 'start', tags: ['$initial'], priority: 2 },
		{ name: (id, graph) => (layers ??= layersOf(graph)).get(id) ?? null, priority: 1 }
	];
}

/** Module → first layer that contains it. */
function layersOf(graph: Rolldown.ChunkingContext): Map<string, string> {
	const layers = new Map<string, string>();
	const visit = (id: string, layer: string): void => {
		if (layers.has(id)) return;
		layers.set(id, layer);
		for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported, layer);
	};
	for (const { name, rootsOf } of LAYERS) for (const root of rootsOf(graph)) visit(root, name);
	return layers;
}

function page(file: string): string {
	return path.resolve(import.meta.dirname, file);
}
