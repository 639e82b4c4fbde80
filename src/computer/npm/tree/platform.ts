import type { PackageManifest } from '../registry/packument.ts';

/** The processor of what is published as WebAssembly. */
const OURS = 'wasm32';

/**
 * True for a package that can only be a native program or library: it names the processors it is made for, and
 * WebAssembly is none of them. Nothing native runs in a browser tab, whatever the system.
 */
export function isNative(manifest: PackageManifest): boolean {
	const cpu = listOf(manifest.cpu);
	const os = listOf(manifest.os);
	if (cpu.includes(OURS)) return false;
	const needs = (list: string[], ours: string) =>
		list.length > 0 && !list.includes(ours) && list.some((one) => !one.startsWith('!'));
	return (
		listOf(manifest.libc).length > 0 ||
		cpu.some((one) => !one.startsWith('!')) ||
		needs(os, 'linux') ||
		os.includes('!linux')
	);
}

/** The entries of a field that has one or several. */
export function listOf(field: string | string[] | undefined): string[] {
	return typeof field === 'string' ? [field] : (field ?? []);
}
