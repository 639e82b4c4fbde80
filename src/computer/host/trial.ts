import type { Effects, ExecResult, Trial, TrialMerge } from '#environment/contract.ts';
import { EnvironmentError } from '#environment/errors.ts';
import type { KernelPort } from './kernel-port.ts';

/** Command that has run on a throwaway copy of the machine, which the kernel holds until it is applied or discarded. */
export class KernelTrial implements Trial {
	#isOver = false;

	/** @param settled resolves when listeners have been notified of the applied changes */
	constructor(
		private readonly kernel: KernelPort,
		private readonly pid: number,
		readonly result: ExecResult,
		readonly effects: Effects,
		private readonly settled: () => Promise<void>
	) {}

	async read(path: string, side: 'before' | 'after'): Promise<Uint8Array | null> {
		try {
			return await this.kernel.request('readTrial', this.pid, path, side);
		} catch (error) {
			if (error instanceof EnvironmentError && error.code === 'ENOENT') return null;
			throw error;
		}
	}

	async apply(): Promise<TrialMerge> {
		this.#isOver = true;
		const merge = await this.kernel.request('applyTrial', this.pid);
		await this.settled();
		return merge;
	}

	async discard(): Promise<void> {
		if (this.#isOver) return;
		this.#isOver = true;
		await this.kernel.request('endTrial', this.pid);
	}
}
