import type { PackageManifest } from '../registry/packument.ts';

/** Processor name used by WebAssembly packages. */
const OURS = 'wasm32';

/**
 * Returns whether a package can only be a native program or library: it lists the processors it supports, and
 * WebAssembly is not among them. Nothing native runs in a browser tab, whatever the system.
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

/** Entries of a field that contains one or several. */
export function listOf(field: string | string[] | undefined): string[] {
	return typeof field === 'string' ? [field] : (field ?? []);
}
