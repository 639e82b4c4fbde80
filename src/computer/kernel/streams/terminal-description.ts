import { Description } from './description.ts';
import type { StreamUser } from './stream-user.ts';
import type { Terminal } from './terminal.ts';

/** Descriptor of a terminal. */
export class TerminalDescription extends Description {
	constructor(private readonly on: Terminal) {
		super();
	}
	override get terminal(): Terminal {
		return this.on;
	}
	override read(max: number, reader: StreamUser) {
		return this.on.read(max, reader);
	}
	override write(bytes: Uint8Array) {
		return this.on.print(bytes);
	}
	protected override closed(): void {}
}
