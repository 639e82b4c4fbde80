import type { Shell } from './shell.ts';

/** Variables that a restricted shell does not change. */
const KEPT = ['PATH', 'SHELL', 'ENV', 'BASH_ENV'];

/** `set -r`: from now on the shell stays in its folder and runs only what PATH has. There is no way back. */
export function restrict(shell: Shell): void {
	shell.restricted = true;
	for (const name of KEPT) shell.variables.declare(name, { readonly: true });
}
