import type { ExecOptions, ExecResult, ExecutionEnvironment } from '#environment/contract.ts';
import { DelegatingEnvironment } from '#environment/wrappers/delegating.ts';

/**
 * Environment whose commands have no network, write below one folder only, and signal only their own processes.
 * `exec` rejects with `EUNAVAILABLE` if nothing enforces that.
 */
export class ConfinedEnvironment extends DelegatingEnvironment {
	/**
	 * @param folder absolute path of the folder that commands may write
	 * @param temporaryDirectory folder for temporary files, below `folder`
	 */
	constructor(
		inner: ExecutionEnvironment,
		private readonly folder: string,
		private readonly temporaryDirectory: string
	) {
		super(inner);
	}

	override exec(command: string, options: ExecOptions = {}): Promise<ExecResult> {
		return this.inner.exec(command, {
			...options,
			env: { ...options.env, TMPDIR: this.temporaryDirectory },
			rights: { write: [this.folder], network: [], signal: 'own' }
		});
	}
}
