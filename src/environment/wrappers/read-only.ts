import type * as contract from '../contract.ts';
import { EnvironmentError } from '../errors.ts';
import { DelegatingEnvironment } from './delegating.ts';

/**
 * Refuses everything that writes with `EPERM`. Commands are refused too, since their writes cannot be known in
 * advance, unless the caller allows them.
 */
export class ReadOnlyExecutionEnvironment extends DelegatingEnvironment {
	constructor(
		inner: contract.ExecutionEnvironment,
		private readonly options: { allowCommands?: boolean } = {}
	) {
		super(inner);
	}

	override writeFile(path: string): Promise<never> {
		return refuse(path);
	}
	override remove(path: string): Promise<never> {
		return refuse(path);
	}
	override rename(from: string): Promise<never> {
		return refuse(from);
	}
	override makeDirectory(path: string): Promise<never> {
		return refuse(path);
	}
	override symlink(_target: string, path: string): Promise<never> {
		return refuse(path);
	}
	override setMode(path: string): Promise<never> {
		return refuse(path);
	}
	override load(): Promise<never> {
		return refuse();
	}
	override restore(): Promise<never> {
		return refuse();
	}
	override exec(command: string, options?: contract.ExecOptions): Promise<contract.ExecResult> {
		return this.options.allowCommands ? super.exec(command, options) : refuse();
	}
	override start(command: string, options?: contract.ExecOptions): Promise<contract.Process> {
		return this.options.allowCommands ? super.start(command, options) : refuse();
	}
	/** Absent, since the effects of a trial could be applied. */
	override get runOnTrial(): contract.ExecutionEnvironment['runOnTrial'] {
		return this.options.allowCommands ? super.runOnTrial : undefined;
	}
	/** Refused, since its merge would write here, and its commands could too. */
	override overlay(): Promise<never> {
		return refuse();
	}
	override openTerminal(size: contract.TerminalSize): Promise<contract.Terminal> {
		return this.options.allowCommands ? super.openTerminal(size) : refuse();
	}
}

function refuse(path?: string): Promise<never> {
	return Promise.reject(
		new EnvironmentError('EPERM', 'This environment is read-only: nothing can be written or run.', path)
	);
}
