import { unsupported } from '../runtime/errors.ts';

/**
 * Unsupported functions and classes of supported modules: an `import` of one of them has to link, or nothing of the
 * program would run.
 */
const ABSENT: Record<string, string> = {
	child_process: '_forkChild',
	crypto: 'setEngine Certificate Cipher Decipher',
	inspector: 'NetworkResources',
	'inspector/promises': 'NetworkResources',
	net: '_createServerHandle',
	process: 'execve',
	tls: 'createSecurePair',
	util: 'transferableAbortSignal transferableAbortController setTraceSigInt',
	zlib: 'ZstdCompress ZstdDecompress'
};

/** Adds the names that a module lacks: each throws, when called, that it is not supported. */
export function addAbsent(name: string, module: unknown): void {
	if (module === null || (typeof module !== 'object' && typeof module !== 'function')) return;
	for (const absent of (ABSENT[name] ?? '').split(' ')) {
		if (absent === '' || absent in module) continue;
		const refuse = function (): never {
			throw unsupported(`${name}.${absent}`, 'Use something else of the module.');
		};
		Object.defineProperty(refuse, 'name', { value: absent });
		Object.defineProperty(module, absent, { value: refuse, writable: true, configurable: true, enumerable: true });
	}
}
