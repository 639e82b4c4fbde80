import { z } from 'zod';
import type { SyncSyscalls } from '#computer/abi/client.ts';

const shape = z.object({
	name: z.string().optional(),
	version: z.string().optional(),
	bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
	scripts: z.record(z.string(), z.string()).optional()
});

/** Part of a package.json that `npm run` and `npx` need. */
export interface Manifest {
	directory: string;
	name: string;
	version: string;
	scripts: Record<string, string>;
	bins: Record<string, string>;
}

export class ManifestError extends Error {
	constructor(
		readonly code: 'ENOENT' | 'EJSONPARSE',
		message: string
	) {
		super(message);
	}
}

/** Finds the nearest package.json at or above a directory. Throws ManifestError. */
export function findManifest(sys: SyncSyscalls, from: string): Manifest {
	for (let directory = from; ; directory = parent(directory)) {
		const file = inside(directory, 'package.json');
		if (sys.statOrNull(file)?.kind === 'file') return readManifest(sys, directory);
		if (directory === '/') {
			const path = inside(from, 'package.json');
			throw new ManifestError(
				'ENOENT',
				`Could not read package.json: Error: ENOENT: no such file or directory, open '${path}'`
			);
		}
	}
}

/** Reads a package.json. Throws ManifestError if it is not JSON of the right shape. */
export function readManifest(sys: SyncSyscalls, directory: string): Manifest {
	const { name = '', version = '', bin = {}, scripts = {} } = readShape(sys, directory, shape);
	const bins = typeof bin === 'string' ? { [name.split('/').pop() ?? name]: bin } : bin;
	return { directory, name, version, scripts, bins };
}

/** Parses a package.json with a schema. @throws ManifestError if it is not JSON or does not match */
export function readShape<Shape extends z.ZodType>(sys: SyncSyscalls, directory: string, shape: Shape): z.infer<Shape> {
	const file = inside(directory, 'package.json');
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(sys.readFile(file)));
	} catch (error) {
		throw new ManifestError('EJSONPARSE', `${file}: ${error instanceof Error ? error.message : String(error)}`);
	}
	const parsed = shape.safeParse(json);
	if (parsed.success) return parsed.data;
	throw new ManifestError('EJSONPARSE', `${file}: ${parsed.error.issues[0]?.message ?? 'not a package'}`);
}

export function inside(directory: string, name: string): string {
	return directory === '/' ? `/${name}` : `${directory}/${name}`;
}

export function parent(directory: string): string {
	const at = directory.lastIndexOf('/');
	return at <= 0 ? '/' : directory.slice(0, at);
}
