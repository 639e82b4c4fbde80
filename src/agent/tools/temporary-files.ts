import type { ExecutionEnvironment } from '#environment/contract.ts';
import type { ToolState } from '../tool.ts';

const TEMPORARY = Symbol('temporary files');

/** Files that tools save for the model to read until the session ends. */
export class TemporaryFiles {
	readonly #paths = new Set<string>();

	static of(state: ToolState): TemporaryFiles {
		return state.get(TEMPORARY, () => new TemporaryFiles());
	}

	add(path: string): void {
		this.#paths.add(path);
	}

	/** Called at the end of a session. Files that are already gone are ignored. */
	async removeAll(environment: ExecutionEnvironment): Promise<void> {
		const paths = [...this.#paths];
		this.#paths.clear();
		await Promise.all(
			paths.map(async (path) => {
				if (await environment.fileExists(path)) await environment.remove(path);
			})
		);
	}
}
