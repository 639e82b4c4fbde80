import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ExitCode } from './exit-codes.ts';

/** Exports of the server's bundle that are used here. */
interface ServerBundle {
	startServer(options: {
		env: Readonly<Record<string, string | undefined>>;
		pageDir: string;
	}): Promise<{ url: string; close(): Promise<void> }>;
}

/** Starts the built server and runs until SIGINT or SIGTERM; see `HELP.serve`. */
export async function serve(args: string[]): Promise<number> {
	const { values } = parseArgs({
		args,
		options: { port: { type: 'string' }, host: { type: 'string' }, here: { type: 'boolean' } }
	});
	const dist = distFolder();
	const env = {
		...process.env,
		...(values.port === undefined ? {} : { PORT: values.port }),
		...(values.host === undefined ? {} : { HOST: values.host }),
		...(values.here ? { SANDGLASS_HERE: process.cwd() } : {}),
		SHARES_DIR: process.env['SHARES_DIR'] ?? path.join(dataFolder(), 'shares')
	};
	const { startServer } = (await import(new URL('server/main.js', dist).href)) as ServerBundle;
	const server = await startServer({ env, pageDir: fileURLToPath(new URL('page', dist)) });
	console.log(`Sandglass is ready at ${server.url}`);
	await interrupted();
	await server.close();
	return ExitCode.ok;
}

/**
 * Folder with the built page and server: next to the compiled library.
 * @throws Error if it is not built
 */
function distFolder(): URL {
	const dist = new URL('../../', import.meta.url);
	if (existsSync(new URL('server/main.js', dist))) return dist;
	throw new Error('The page and the server are not built here. In a checkout use `npm start`.');
}

/** Folder for the user's data: XDG_DATA_HOME on Linux, otherwise the system's usual location. */
function dataFolder(): string {
	const { XDG_DATA_HOME, LOCALAPPDATA } = process.env;
	if (process.platform === 'win32' && LOCALAPPDATA) return path.join(LOCALAPPDATA, 'sandglass');
	if (process.platform === 'darwin') return path.join(homedir(), 'Library/Application Support/sandglass');
	return path.join(XDG_DATA_HOME ?? path.join(homedir(), '.local/share'), 'sandglass');
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function interrupted(): Promise<void> {
	return new Promise((resolve) => {
		let stopping = false;
		for (const signal of ['SIGINT', 'SIGTERM'] as const)
			process.on(signal, () => {
				if (stopping) process.exit(ExitCode.interrupted);
				stopping = true;
				resolve();
			});
	});
}
