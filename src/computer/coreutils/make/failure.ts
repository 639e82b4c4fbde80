/**
 * Error that ends a run of make; printed after `make: *** `, or after the position in a makefile, and followed by
 * `  Stop.`.
 */
export class MakeFailure extends Error {
	override readonly name = 'MakeFailure';
	/** @param place `file:line` for an error in a makefile; empty for an error of make itself */
	constructor(
		message: string,
		readonly place = ''
	) {
		super(message);
	}
}

/** Ends a run of make whose error was already printed. */
export class MakeEnd extends Error {
	override readonly name = 'MakeEnd';
	constructor(readonly status: number) {
		super(`make ends with ${status}`);
	}
}
