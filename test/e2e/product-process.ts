import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Product } from './world.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface ProductProcess extends Product {
	/** Kills it at once, like the system when memory runs out. One call is enough. */
	kill(): Promise<void>;
}

/**
 * Starts the built product in a separate process, for which every outside name is this computer.
 *
 * @param authorities file with certificates that it trusts in addition to the system's
 * @throws Error with its output, if it does not start
 */
export async function startProductProcess(env: Record<string, string>, authorities?: string): Promise<ProductProcess> {
	const child = spawn(process.execPath, [path.join(import.meta.dirname, 'product-process.mjs')], {
		cwd: root,
		env: {
			PATH: process.env['PATH'],
			HOST: '127.0.0.1',
			PORT: '0',
			...(authorities === undefined ? {} : { NODE_EXTRA_CA_CERTS: authorities }),
			...env
		},
		stdio: ['ignore', 'pipe', 'pipe']
	});
	const ended = once(child, 'exit');
	let said = '';
	child.stderr.on('data', (chunk) => (said += String(chunk)));
	const log: Product['log'] = [];
	const url = await new Promise<string>((resolve, reject) => {
		createInterface({ input: child.stdout }).on('line', (line) => {
			const ready = /^Sandglass is ready at (\S+)/.exec(line)?.[1];
			if (ready !== undefined) resolve(ready);
			else log.push(JSON.parse(line) as Product['log'][number]);
		});
		void ended.then(() => reject(new Error(`The server ended before it listened:\n${said}`)));
	});
	const end = async (signal: NodeJS.Signals): Promise<void> => {
		child.kill(signal);
		await ended;
	};
	return { url, log, kill: () => end('SIGKILL'), close: () => end('SIGTERM') };
}
