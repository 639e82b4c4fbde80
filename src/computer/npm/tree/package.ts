import type { SyncSyscalls } from '#computer/abi/client.ts';
import { readShape } from '../manifest.ts';
import { manifestShape, type PackageManifest } from '../registry/packument.ts';

/** Reads the part of package.json that installing needs. @throws ManifestError */
export const readPackage = (sync: SyncSyscalls, directory: string): PackageManifest =>
	readShape(sync, directory, manifestShape);
