import { EnvironmentError } from '#environment/errors.ts';
import type { ShippedSandbox } from '#computer/programs.ts';

/** Fetches the assets of this build of the sandbox, each once per page. */
const fetched = new Map<string, Promise<Uint8Array>>();

/** @throws EnvironmentError `ENOENT` if no asset has that name, `EUNAVAILABLE` if it cannot be fetched */
export async function programText(sandbox: ShippedSandbox, name: string): Promise<string> {
	const program = sandbox.programs.find((candidate) => candidate.name === name);
	if (!program) throw new EnvironmentError('ENOENT', `The sandbox has no program "${name}".`);
	return fetchText(program.url);
}

/** @throws as {@link programText} */
export async function assetBytes(sandbox: ShippedSandbox, name: string): Promise<Uint8Array> {
	const url = Object.hasOwn(sandbox.assets, name) ? sandbox.assets[name] : undefined;
	if (url === undefined) throw new EnvironmentError('ENOENT', `The sandbox ships no file "${name}".`);
	return fetchBytes(url);
}

export async function fetchText(url: string): Promise<string> {
	return new TextDecoder().decode(await fetchBytes(url));
}

function fetchBytes(url: string): Promise<Uint8Array> {
	const known = fetched.get(url);
	if (known) return known;
	const bytes = download(url);
	fetched.set(url, bytes);
	bytes.catch(() => fetched.delete(url));
	return bytes;
}

async function download(url: string): Promise<Uint8Array> {
	let reason: string;
	try {
		const response = await fetch(url);
		if (response.ok) return new Uint8Array(await response.arrayBuffer());
		reason = `the server answered ${response.status}`;
	} catch (error) {
		reason = error instanceof Error ? error.message : String(error);
	}
	throw new EnvironmentError('EUNAVAILABLE', `A part of the sandbox could not be loaded (${reason}). Reload the page.`);
}
