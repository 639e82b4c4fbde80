import type { EsModuleSource } from './transform.ts';

/** One ES module of the graph. */
export interface EsModule {
	url: string;
	file: string;
	source: EsModuleSource;
	namespace: Record<string, unknown>;
	dependencies: Map<string, Dependency>;
	state: 'linked' | 'evaluating' | 'done';
	/** Set while something in or below this module awaits at top level. */
	pending: Promise<void> | null;
	failure: { error: unknown } | null;
	/** Where its functions exist and nothing has run. A promise when it awaits at top level. */
	body: (() => Promise<void> | null) | null;
}

/** What an import leads to: a module of the graph, or something loaded another way when it is first needed. */
export type Dependency =
	{ kind: 'module'; module: EsModule } | { kind: 'foreign'; url: string; load(): unknown; namespace?: unknown };
