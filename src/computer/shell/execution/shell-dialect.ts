import type { Dialect } from '../parser/cursor.ts';
import type { Shell } from '../state/shell.ts';

/** Effects of the shell's current state on its syntax. */
export class ShellDialect implements Dialect {
	constructor(private readonly shell: Shell) {}

	get aliases(): ReadonlyMap<string, string> | null {
		return this.shell.interactive || this.shell.shopt.has('expand_aliases') ? this.shell.aliases : null;
	}

	get extglob(): boolean {
		return this.shell.shopt.has('extglob');
	}

	get posix(): boolean {
		return this.shell.options.posix;
	}
}
