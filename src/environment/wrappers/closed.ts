import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';

/**
 * Environment of an owner that has lost its computer: every call rejects with `ECLOSED`, as after {@link
 * contract.ExecutionEnvironment.cleanup}, while another owner may continue to use the computer.
 */
export class ClosedEnvironment implements contract.ExecutionEnvironment {
	constructor(
		private readonly was: Pick<contract.ExecutionEnvironment, 'workingDirectory' | 'platform' | 'osVersion'>
	) {}

	readonly initialize = refuse;
	readonly readFile = refuse;
	readonly readBytes = refuse;
	readonly writeFile = refuse;
	readonly fileExists = refuse;
	readonly stat = refuse;
	readonly listDirectory = refuse;
	readonly remove = refuse;
	readonly rename = refuse;
	readonly makeDirectory = refuse;
	readonly readLink = refuse;
	readonly symlink = refuse;
	readonly setMode = refuse;
	readonly load = refuse;
	readonly exec = refuse;
	readonly start = refuse;
	readonly openTerminal = refuse;
	readonly grep = refuse;
	readonly glob = refuse;
	readonly snapshot = refuse;
	readonly restore = refuse;
	readonly readBlob = refuse;
	readonly overlay = refuse;

	workingDirectory(): string {
		return this.was.workingDirectory();
	}
	platform(): ReturnType<contract.ExecutionEnvironment['platform']> {
		return this.was.platform();
	}
	osVersion(): string {
		return this.was.osVersion();
	}
	onChange(): () => void {
		return () => {};
	}
	/** The computer already belongs to another owner. */
	cleanup(): Promise<void> {
		return Promise.resolve();
	}
}

function refuse(): Promise<never> {
	return Promise.reject(new EnvironmentError('ECLOSED', 'This sandbox belongs to another session now.'));
}
