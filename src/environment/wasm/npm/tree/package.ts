import type { SyncSyscalls } from '../../process/client.ts';
import { inside, ManifestError } from '../manifest.ts';
import { manifestShape, type PackageManifest } from '../registry/packument.ts';

/** package.json as installing sees it. @throws ManifestError */
export function readPackage(sync: SyncSyscalls, directory: string): PackageManifest {
	const file = inside(directory, 'package.json');
	let json: unknown;
	try {
		json = JSON.parse(new TextDecoder().decode(sync.readFile(file)));
	} catch (error) {
		throw new ManifestError('EJSONPARSE', `${file}: ${error instanceof Error ? error.message : String(error)}`);
	}
	const parsed = manifestShape.safeParse(json);
	if (parsed.success) return parsed.data;
	throw new ManifestError('EJSONPARSE', `${file}: ${parsed.error.issues[0]?.message ?? 'is no package'}`);
}
