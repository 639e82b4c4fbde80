import path from 'node:path';
import type { Rolldown } from 'vite';

/** Declares by its dynamic imports what every project loads. */
const AHEAD = path.resolve(import.meta.dirname, 'ahead.ts');
/** Parts of it that come later, each mostly a library: they keep chunks of their own. */
const LATER = ['workbench/terminal/xterm.ts', 'workbench/files/editor.ts'].map((part) =>
	path.resolve(import.meta.dirname, part)
);
/** Source bytes up to which a chunk is joined to the one that is loaded in the most similar places. */
const SMALL = 30_000;

/**
 * Groups modules that are loaded together into one file: by default each set of importers gets a file of its own,
 * which made 168 requests of the way to a project, half of them for less than 1 KB.
 */
export function chunkGroups(): Rolldown.CodeSplittingGroup[] {
	let project: Set<string> | undefined;
	return [
		{ name: 'start', tags: ['$initial'], priority: 2 },
		{
			name: (id, graph) => {
				project ??= modulesOfProject(graph);
				return project.has(id) ? 'project' : null;
			},
			priority: 1,
			entriesAware: true,
			entriesAwareMergeThreshold: SMALL
		}
	];
}

/** Names a chunk after its group, without the list of importers that the bundler adds. */
export function chunkFileName({ name }: Pick<Rolldown.PreRenderedChunk, 'name'>): string {
	return `assets/${name.replace(/~.*$/, '')}-[hash].js`;
}

function modulesOfProject(graph: Rolldown.ChunkingContext): Set<string> {
	const found = new Set<string>();
	const visit = (id: string): void => {
		if (found.has(id)) return;
		found.add(id);
		for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) visit(imported);
	};
	for (const id of graph.getModuleInfo(AHEAD)?.dynamicallyImportedIds ?? []) if (!LATER.includes(id)) visit(id);
	return found;
}
