/** Packages that consist only of a native program, without WebAssembly → replacement to suggest. */
const INSTEAD: Record<string, string> = {
	'@biomejs/biome': 'Format with prettier and lint with eslint.',
	// Its WebAssembly release cannot be loaded: it does not export its function table.
	'@parcel/watcher': 'Watch files with chokidar, or let Vite watch them.',
	'@swc/core': 'Take @swc/wasm.',
	'better-sqlite3': 'Take node:sqlite, which is synchronous as well.',
	bcrypt: 'Take bcryptjs.',
	oxlint: 'Lint with eslint.',
	sqlite3: 'Take node:sqlite, or the command sqlite3.',
	turbo: 'Run the scripts of all packages with npm run --workspaces.',
	typescript: 'The sandbox’s own tsc runs in its place.'
};

/** Returns a sentence for the user who installed or started the package; `null` if there is no replacement. */
export const insteadOf = (name: string): string | null =>
	Object.hasOwn(INSTEAD, name) ? (INSTEAD[name] ?? null) : null;
