import { zlibSync } from 'fflate';
import { base85Lines } from '../patch/base85.ts';

/** A binary file's change as a patch that can be applied both ways. Both contents are in it as they are. */
export function binaryPatch(before: Uint8Array, after: Uint8Array): string {
	return `GIT binary patch\n${literal(after)}${literal(before)}`;
}

function literal(content: Uint8Array): string {
	return `literal ${content.length}\n${base85Lines(zlibSync(content))}\n`;
}
