import type { Shell } from './shell.ts';

/** Variables that a restricted shell cannot change. */
const KEPT = ['PATH', 'SHELL', 'ENV', 'BASH_ENV'];

/**
 * `set -r`: from now on the shell stays in its directory and only runs commands found by PATH. This cannot be undone.
 */
export function restrict(shell: Shell): void {
	shell.restricted = true;
	for (const name of KEPT) shell.variables.declare(name, { readonly: true });
}
