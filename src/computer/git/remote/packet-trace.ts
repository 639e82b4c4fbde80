import { binaryText } from '../diff/lines.ts';
import type { Surroundings } from '../surroundings.ts';
import { isTraced, writeTrace } from '../trace.ts';
import { packetLength } from './packet.ts';

/** Program whose packets are shown. */
export type TracedProgram = 'clone' | 'fetch' | 'fetch-pack' | 'ls-remote' | 'push';

const NAME_WIDTH = 12;

/** Shows the packets of an exchange with a remote if `GIT_TRACE_PACKET` asks for it, except those with a pack. */
export class PacketTrace {
	readonly #isOn: boolean;

	constructor(
		private readonly surroundings: Surroundings,
		private readonly program: TracedProgram
	) {
		this.#isOn = isTraced(surroundings, 'GIT_TRACE_PACKET');
	}

	sent(bytes: Uint8Array): void {
		this.#show('>', bytes);
	}

	received(bytes: Uint8Array): void {
		this.#show('<', bytes);
	}

	#show(direction: '>' | '<', bytes: Uint8Array): void {
		if (!this.#isOn) return;
		const start = `packet: ${this.program.padStart(NAME_WIDTH)}${direction} `;
		const lines = packetsOf(binaryText(bytes)).map((packet) => start + packet);
		writeTrace(this.surroundings, 'GIT_TRACE_PACKET', 'packet', lines);
	}
}

/** Contents of the packets up to a pack, which is not in packets of its own. */
function packetsOf(text: string): string[] {
	const found: string[] = [];
	for (let at = 0; at + 4 <= text.length;) {
		const digits = text.slice(at, at + 4);
		const length = packetLength(digits);
		if (digits === 'PACK') found.push('PACK ...');
		if (Number.isNaN(length)) break;
		found.push(length < 4 ? digits : escaped(text.slice(at + 4, at + length).replace(/\n$/, '')));
		at += Math.max(length, 4);
	}
	return found;
}

/** Writes characters that cannot be shown as octal escapes. */
const escaped = (text: string): string => text.replace(/[^ -~]/g, (letter) => `\\${letter.charCodeAt(0).toString(8)}`);
