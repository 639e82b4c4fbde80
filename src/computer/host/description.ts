import { NODE_VERSION, NPM_VERSION, PYTHON_VERSION } from '#computer/abi/versions.ts';

/**
 * Describes the computer in the tab for a model that knows Linux but not this system. Short: every request pays for it.
 */
export const DESCRIPTION = [
	`The computer is a browser tab: a Unix of its own with bash, coreutils, git, ripgrep, Node ${NODE_VERSION.slice(1)}, npm ${NPM_VERSION}, Python ${PYTHON_VERSION} and tsc.`,
	'Native programs and addons do not run; a WebAssembly build takes the place of esbuild, Rollup and others where there is one, and says so.',
	'An installed jest, vitest or pytest runs itself; where none is installed, a smaller runner of this computer stands in.',
	'A host that a command reaches may have to be allowed by the user first, and the command waits for that.',
	'Servers that listen are shown to the user in Preview. cd and exports last for one command only. git commits without a user.name too.'
].join(' ');
