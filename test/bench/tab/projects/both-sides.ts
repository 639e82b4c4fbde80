import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Page } from 'playwright';
import { plainEnvironment } from '../../native-program.ts';
import { allowRegistry, inTime, type TabWorld } from '../world.ts';
import type { RegistryCopy } from '../../../computer/npm/registry-copy.ts';

/** Longest time that one command may take on either side. */
const LIMIT_MS = 300_000;

export interface Ended {
	stdout: string;
	/** As seen by its caller. */
	ms: number;
}

/** Files of a project by path. */
export type Tree = Record<string, string | Buffer>;

/** One project, natively in a folder and open in a page. */
export class BothSides {
	readonly page: Page;
	readonly #folder: string;
	readonly #registry: RegistryCopy;

	constructor(page: Page, folder: string, registry: RegistryCopy) {
		this.page = page;
		this.#folder = folder;
		this.#registry = registry;
	}

	/** @throws Error with the output of the command, if it fails */
	async native(command: string): Promise<Ended> {
		const plain = plainEnvironment();
		const start = performance.now();
		const child = spawn('timeout', ['--kill-after=5', String(LIMIT_MS / 1000), 'bash', '-c', command], {
			cwd: this.#folder,
			stdio: ['ignore', 'pipe', 'pipe'],
			env: {
				...plain,
				PATH: [path.dirname(process.execPath), plain['PATH']].join(':'),
				HOME: path.join(this.#folder, '../home'),
				npm_config_registry: this.#registry.url,
				npm_config_update_notifier: 'false'
			}
		});
		const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
		const ms = performance.now() - start;
		if (code !== 0) throw new Error(`${command} ended natively with ${String(code)}: ${inOneLine(stderr || stdout)}`);
		return { stdout, ms };
	}

	/** @throws Error with the output of the command, if it fails */
	async here(command: string): Promise<Ended> {
		const { exitCode, stdout, stderr, ms } = await inTime(
			this.page.evaluate(
				async ({ command, timeoutMs }) => {
					const start = performance.now();
					const { exitCode, stdout, stderr } = await window.sandglass!.environment!.exec(command, { timeoutMs });
					return { exitCode, stdout, stderr, ms: performance.now() - start };
				},
				{ command, timeoutMs: LIMIT_MS }
			),
			LIMIT_MS + 30_000
		);
		if (exitCode !== 0) throw new Error(`${command} ended here with ${exitCode}: ${inOneLine(stderr || stdout)}`);
		return { stdout, ms };
	}
}

/** End of an output, as shown in a row's note. */
const inOneLine = (output: string): string => output.trim().replace(/\s+/g, ' ').slice(-500);

/**
 * Writes a project to a folder and opens it in a separate page, whose programs may reach the registry.
 *
 * @param folder emptied first
 */
export async function openBothSides(
	world: TabWorld,
	registry: RegistryCopy,
	folder: string,
	tree: Tree
): Promise<BothSides> {
	rmSync(folder, { recursive: true, force: true });
	for (const [name, content] of Object.entries(tree)) {
		const file = path.join(folder, name);
		mkdirSync(path.dirname(file), { recursive: true });
		writeFileSync(file, content);
	}
	const page = await world.openOnDisk();
	const encoded = Object.entries(tree).map(
		([name, content]) => [name, Buffer.from(content).toString('base64')] as const
	);
	await inTime(
		page.evaluate((files) => {
			const bytes = (text: string) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
			return window.sandglass!.importRepository({
				files: Object.fromEntries(files.map(([name, text]) => [name, bytes(text)]))
			});
		}, encoded)
	);
	await allowRegistry(page);
	return new BothSides(page, folder, registry);
}
