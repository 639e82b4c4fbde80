import type { ProcessInfo, SignalName } from '#computer/abi/syscalls.ts';
import { errno } from '#computer/abi/errno.ts';
import { ProcessTable } from '../processes/table.ts';

/** Processes of a trial. They see processes outside but cannot signal them. */
export class TrialTable extends ProcessTable {
	/** Signals that were refused. */
	readonly refused: { pid: number; signal: SignalName; command: string }[] = [];

	constructor(private readonly outside: ProcessTable) {
		super(outside.numbers);
	}

	override kill(pid: number, signal: SignalName | 0): void {
		const targets = this.targetsOf(pid).length > 0 ? [] : this.outside.targetsOf(pid);
		if (targets.length === 0 || signal === 0) return targets.length === 0 ? super.kill(pid, signal) : undefined;
		for (const { pid: target, argv } of targets) this.refused.push({ pid: target, signal, command: argv.join(' ') });
		throw errno('EPERM', undefined, `process ${pid} was not started by this command`);
	}

	override list(): ProcessInfo[] {
		return [...this.outside.list(), ...this.own()];
	}

	/** Running processes of the trial only. */
	own(): ProcessInfo[] {
		return super.list();
	}
}
