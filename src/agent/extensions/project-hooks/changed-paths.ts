import type { ExecutionEnvironment } from '#environment/contract.ts';

/** Maximum number of paths passed on per call; an installation changes thousands. */
const MAX_PATHS = 500;

/** Collects the paths that change in an environment while a call runs, relative to the working directory. */
export class ChangedPaths {
	readonly #paths = new Set<string>();
	readonly #stop: () => void;

	constructor(environment: ExecutionEnvironment) {
		const root = `${environment.workingDirectory().replace(/\/$/, '')}/`;
		this.#stop = environment.onChange(({ kind, path, to }) => {
			if (kind === 'mkdir') return;
			for (const each of to === undefined ? [path] : [path, to]) {
				const relative = each.startsWith(root) ? each.slice(root.length) : null;
				if (relative === null || /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/.test(relative)) continue;
				if (this.#paths.size < MAX_PATHS) this.#paths.add(relative);
			}
		});
	}

	/** Stops collecting. Returns the sorted paths. */
	end(): string[] {
		this.#stop();
		return [...this.#paths].sort();
	}
}
