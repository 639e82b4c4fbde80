import { zlibSync } from 'fflate';
import { base85Lines } from '../patch/base85.ts';

/** Patch of a binary file that can be applied in both directions. It includes both contents in full. */
export function binaryPatch(before: Uint8Array, after: Uint8Array): string {
	return `GIT binary patch\n${literal(after)}${literal(before)}`;
}

function literal(content: Uint8Array): string {
	return `literal ${content.length}\n${base85Lines(zlibSync(content))}\n`;
}
