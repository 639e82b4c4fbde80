/** Hands bytes or text to the browser's own download. */
export function download(name: string, data: string | Uint8Array, type: string): void {
	const part = typeof data === 'string' ? data : data.slice();
	const url = URL.createObjectURL(new Blob([part], { type }));
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	// The download has its own hold on the bytes once it began.
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
