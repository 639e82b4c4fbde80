import { Description } from './description.ts';
import type { Output } from './output.ts';

/** Descriptor of a stream to the page. */
export class OutputDescription extends Description {
	constructor(private readonly output: Output) {
		super();
	}
	override read(): Uint8Array {
		return new Uint8Array(0);
	}
	override write(bytes: Uint8Array) {
		return this.output.write(bytes);
	}
	protected override closed(): void {}
}
