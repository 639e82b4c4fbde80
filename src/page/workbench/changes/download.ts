/** Downloads bytes or text with the browser's own download. */
export function download(name: string, data: string | Uint8Array, type: string): void {
	const part = typeof data === 'string' ? data : data.slice();
	const url = URL.createObjectURL(new Blob([part], { type }));
	const link = document.createElement('a');
	link.href = url;
	link.download = name;
	link.click();
	// Once started, the download no longer needs the URL.
	setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
