/** Blob of a file's content, which can no longer be read after the file has changed, as in Node. */
export class FileBlob extends Blob {
	readonly #isUnchanged: () => boolean;

	/** @param isUnchanged returns whether the file is the same as when the blob was created */
	constructor(parts: BlobPart[], options: BlobPropertyBag, isUnchanged: () => boolean) {
		super(parts, options);
		this.#isUnchanged = isUnchanged;
	}

	/** Called after a read has started: the file is checked meanwhile. @throws DOMException `NotReadableError` */
	#check(): void {
		if (!this.#isUnchanged()) throw new DOMException('The blob could not be read', 'NotReadableError');
	}

	override async arrayBuffer(): Promise<ArrayBuffer> {
		const bytes = await super.arrayBuffer();
		this.#check();
		return bytes;
	}

	override async text(): Promise<string> {
		const text = await super.text();
		this.#check();
		return text;
	}

	override stream(): ReadableStream<Uint8Array<ArrayBuffer>> {
		const reader = super.stream().getReader();
		return new ReadableStream({
			pull: async (controller) => {
				const { done, value } = await reader.read();
				this.#check();
				if (done) controller.close();
				else controller.enqueue(value);
			},
			cancel: (reason) => reader.cancel(reason)
		});
	}

	override slice(start?: number, end?: number, type?: string): Blob {
		return new FileBlob([super.slice(start, end)], { type: type ?? '' }, this.#isUnchanged);
	}
}
