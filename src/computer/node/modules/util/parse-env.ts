/** Parses `.env` text to an object. */
export function parseEnv(text: string): Record<string, string> {
	const result: Record<string, string> = {};
	const line = /^\s*(?:export\s+)?([\w.-]+)\s*=\s*("(?:\\.|[^"])*"|'[^']*'|`[^`]*`|[^#\n]*)/gm;
	for (const [, name = '', raw = ''] of text.matchAll(line)) {
		const value = raw.trim();
		const quote = /^(["'`])(.*)\1$/s.exec(value);
		result[name] = quote ? (quote[1] === '"' ? (quote[2] ?? '').replaceAll('\\n', '\n') : (quote[2] ?? '')) : value;
	}
	return result;
}

/** Sets the variables of a `.env` file unless they are already set. */
export function addEnv(env: Record<string, string | undefined>, file: Uint8Array): void {
	for (const [name, value] of Object.entries(parseEnv(new TextDecoder().decode(file)))) env[name] ??= value;
}
