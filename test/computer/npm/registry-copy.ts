import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { LoopbackRegistry } from './loopback-registry.ts';

/** Cached answer of the real registry: its relevant headers, and the body. */
interface Kept {
	type: string;
	body: Buffer;
}

/** The real registry does not have it, or refuses it. */
class Refused extends Error {
	constructor(
		url: string,
		readonly status: number
	) {
		super(`${url} answered ${status}`);
	}
}

/**
 * The npm registry on the loopback: requests are cached in a folder and in memory, so that both sides of a row are
 * answered equally fast, and neither measures the network.
 */
export class RegistryCopy extends LoopbackRegistry {
	readonly #folder: string;
	readonly #source: string;
	readonly #kept = new Map<string, Promise<Kept>>();

	/** @param folder cache for answers between runs. @param source address of the real registry */
	constructor(folder: string, source: string) {
		super();
		this.#folder = folder;
		this.#source = source;
		mkdirSync(folder, { recursive: true });
	}

	protected async answer({ url = '/', headers }: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
		try {
			const { type, body } = await this.#keep(url, headers.accept ?? '*/*');
			response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length }).end(body);
		} catch (error) {
			const status = error instanceof Refused ? error.status : 502;
			response.writeHead(status, { 'Content-Type': 'text/plain' }).end(String(error));
		}
	}

	#keep(url: string, accept: string): Promise<Kept> {
		const name = createHash('sha256').update(`${url} ${accept}`).digest('hex');
		const known = this.#kept.get(name);
		if (known) return known;
		const found = this.#load(path.join(this.#folder, name), url, accept);
		this.#kept.set(name, found);
		// A failed request is sent again.
		found.catch(() => this.#kept.delete(name));
		return found;
	}

	async #load(file: string, url: string, accept: string): Promise<Kept> {
		if (existsSync(file)) return { type: readFileSync(`${file}.type`, 'utf8'), body: readFileSync(file) };
		const answer = await fetch(new URL(url.slice(1), this.#source), { headers: { Accept: accept } });
		if (!answer.ok) throw new Refused(answer.url, answer.status);
		const kept = {
			type: answer.headers.get('Content-Type') ?? 'application/octet-stream',
			body: Buffer.from(await answer.arrayBuffer())
		};
		writeFileSync(`${file}.type`, kept.type);
		writeFileSync(`${file}.part`, kept.body);
		renameSync(`${file}.part`, file);
		return kept;
	}
}
