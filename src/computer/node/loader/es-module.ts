import type { EsModuleSource } from './transform.ts';

/** One ES module of the graph. */
export interface EsModule {
	url: string;
	file: string;
	source: EsModuleSource;
	namespace: Record<string, unknown>;
	dependencies: Map<string, Dependency>;
	state: 'linked' | 'evaluating' | 'done';
	/** Set while something in or below this module waits in a top-level await. */
	pending: Promise<void> | null;
	failure: { error: unknown } | null;
	/** State before execution, with its functions defined. Returns a promise if it uses top-level await. */
	body: (() => Promise<void> | null) | null;
}

/** Target of an import: a module of the graph, or something loaded on first use. */
export type Dependency =
	{ kind: 'module'; module: EsModule } | { kind: 'foreign'; url: string; load(): unknown; namespace?: unknown };
