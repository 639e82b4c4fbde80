import type { Effects, ExecResult, Trial, TrialMerge } from '../contract.ts';
import type { RemoteCaller } from './connection.ts';

/** A command that ran on trial on the machine. */
export class RemoteTrial implements Trial {
	constructor(
		private readonly call: RemoteCaller,
		private readonly of: number,
		readonly result: ExecResult,
		readonly effects: Effects
	) {}

	async read(path: string, side: 'before' | 'after'): Promise<Uint8Array | null> {
		const { value, bytes } = await this.call('trialRead', { of: this.of, path, side });
		return value.exists ? bytes.slice() : null;
	}

	async apply(): Promise<TrialMerge> {
		return (await this.call('trialApply', { of: this.of })).value;
	}

	async discard(): Promise<void> {
		await this.call('trialDiscard', { of: this.of });
	}
}
