import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openOpfsFolder, OpfsFile } from '#session/storage/opfs-file.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
/** Chromium's answer in a private window whose disk is full: -8 as an unsigned number. */
const NO_SPACE = 4294967288;

/** A synchronous access handle in memory, whose answers a test can replace. */
class Handle {
	content = new Uint8Array(0);
	answers: { write?: number; read?: number; size?: number; truncate?: () => void; flush?: () => void } = {};

	write(data: Uint8Array, { at = 0 } = {}): number {
		if (this.answers.write !== undefined) {
			// Like a disk that accepts only a part.
			if (this.answers.write < data.length) this.#put(data.subarray(0, this.answers.write), at);
			return this.answers.write;
		}
		this.#put(data, at);
		return data.length;
	}

	read(into: Uint8Array, { at = 0 } = {}): number {
		if (this.answers.read !== undefined) return this.answers.read;
		const found = this.content.subarray(at, at + into.length);
		into.set(found);
		return found.length;
	}

	truncate(size: number): void {
		if (this.answers.truncate) return this.answers.truncate();
		this.content = this.content.slice(0, size);
	}

	getSize(): number {
		return this.answers.size ?? this.content.length;
	}

	flush(): void {
		this.answers.flush?.();
	}

	close(): void {}

	#put(data: Uint8Array, at: number): void {
		const grown = new Uint8Array(Math.max(this.content.length, at + data.length));
		grown.set(this.content);
		grown.set(data, at);
		this.content = grown;
	}
}

async function opened() {
	const handle = new Handle();
	const file = new OpfsFile(handle);
	await file.append(bytes('kept '));
	const text = () => new TextDecoder().decode(handle.content);
	return { handle, file, text };
}

describe('a file of the origin private file system', () => {
	it('gives any part of what was written, and no more than there is', async () => {
		const { handle, file } = await opened();
		await file.append(bytes('more'));
		const part = async (at: number, length: number) => new TextDecoder().decode(await file.read(at, length));
		expect([await part(5, 2), await part(5, 100), await part(9, 1), await part(20, 1)]).toEqual(['mo', 'more', '', '']);
		await file.truncate(6);
		expect([file.size(), await part(0, 100)]).toEqual([6, 'kept m']);
		await file.flush();
		// Data appended meanwhile by another program is not a loss.
		handle.content = new Uint8Array([...handle.content, 1]);
		await file.flush();
		const close = vi.spyOn(handle, 'close');
		await file.close();
		expect(close).toHaveBeenCalledTimes(1);
	});

	it('says what the browser did not do, and of what it answered nothing is read', async () => {
		const { handle, file } = await opened();
		handle.answers.write = 5;
		await expect(file.append(bytes('more'))).rejects.toMatchObject({
			name: 'InvalidStateError',
			message: 'The browser did not write 4 bytes but answered 5.'
		});
		handle.answers = { read: 2 };
		await expect(file.read(0, 5)).rejects.toMatchObject({
			name: 'InvalidStateError',
			message: 'The browser did not read 5 bytes but answered 2.'
		});
		const read = vi.spyOn(handle, 'read');
		expect(await file.read(5, 1)).toEqual(new Uint8Array());
		expect(read).not.toHaveBeenCalled();
		handle.answers = { truncate: () => undefined };
		await expect(file.truncate(2)).rejects.toThrow('The browser did not cut 2 bytes but answered 5.');
		handle.answers = { size: 4 };
		await expect(file.flush()).rejects.toThrow('The browser did not keep 5 bytes but answered 4.');
		handle.answers = { size: 0xffff_0000 };
		await expect(file.flush()).rejects.toMatchObject({
			name: 'InvalidStateError',
			message: 'The browser answered 4294901760 when asked for the size of a file.'
		});
	});

	it.each([NO_SPACE, 0, 3])('reports an append as failed for want of room when write answers %d', async (answer) => {
		const { handle, file, text } = await opened();
		handle.answers.write = answer;
		await expect(file.append(bytes('more'))).rejects.toMatchObject({ name: 'StorageFullError' });
		expect(file.size()).toBe(5);
		expect(text()).toBe('kept ');
		handle.answers = {};
		await file.append(bytes('again'));
		expect(text()).toBe('kept again');
	});

	it.each([4294967291, -1, 5, Number.NaN])('reports an append as failed when write answers %d', async (answer) => {
		const { handle, file } = await opened();
		handle.answers.write = answer;
		await expect(file.append(bytes('more'))).rejects.toThrow(/answered/);
		expect(file.size()).toBe(5);
	});

	it('reports an append as failed that the file did not grow by', async () => {
		const { handle, file } = await opened();
		handle.answers.write = 4;
		handle.answers.size = 5;
		await expect(file.append(bytes('more'))).rejects.toMatchObject({ name: 'StorageFullError' });
		expect(file.size()).toBe(5);
	});

	it('says that there is no room, also when what was written cannot be cut off', async () => {
		const { handle, file } = await opened();
		const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
		onTestFinished(() => warn.mockRestore());
		handle.answers.write = NO_SPACE;
		handle.answers.truncate = () => {
			throw new DOMException('no', 'InvalidStateError');
		};
		await expect(file.append(bytes('more'))).rejects.toMatchObject({
			name: 'StorageFullError',
			message: 'The browser has no room left for this session. Delete old sessions, or export this one.'
		});
		expect(warn.mock.calls).toEqual([
			['What was written of a failed append could not be cut off.', expect.any(DOMException)]
		]);
	});

	it.each([NO_SPACE, 2, -1])('gives no bytes when read answers %d', async (answer) => {
		const { handle, file } = await opened();
		handle.answers.read = answer;
		await expect(file.read(0, 5)).rejects.toThrow(/answered/);
	});

	it('reports a cut that did not happen', async () => {
		const { handle, file } = await opened();
		handle.answers.truncate = () => undefined;
		await expect(file.truncate(2)).rejects.toThrow(/answered 5/);
	});

	it('reports a flush as failed after which the file is shorter than what was acknowledged', async () => {
		const { handle, file } = await opened();
		handle.content = handle.content.slice(0, 2);
		await expect(file.flush()).rejects.toMatchObject({ name: 'QuotaExceededError' });
	});

	it('reports a flush that fails', async () => {
		const { handle, file } = await opened();
		handle.answers.flush = () => {
			throw new DOMException('no', 'InvalidStateError');
		};
		await expect(file.flush()).rejects.toMatchObject({ name: 'InvalidStateError' });
	});

	it('is not opened when its size is the code of an error', () => {
		const handle = new Handle();
		for (const size of [NO_SPACE, -1, 2 ** 53, Number.NaN]) {
			handle.answers.size = size;
			expect(() => new OpfsFile(handle)).toThrow(/answered/);
		}
	});
});

it('is missing as a browser without such a file system says it is', async () => {
	onTestFinished(() => void vi.unstubAllGlobals());
	for (const storage of [undefined, {}]) {
		vi.stubGlobal('navigator', { storage });
		await expect(openOpfsFolder('s')).rejects.toMatchObject({ name: 'NotSupportedError' });
	}
});
