const blobs = new Map<string, Blob>();

/** Notes what `URL.createObjectURL` makes, so that the blob can be found again by its address. */
export function followObjectUrls(): void {
	const { createObjectURL, revokeObjectURL } = URL;
	Object.assign(URL, {
		createObjectURL(blob: Blob): string {
			const url = createObjectURL.call(URL, blob);
			blobs.set(url, blob);
			return url;
		},
		revokeObjectURL(url: string): void {
			blobs.delete(String(url));
			revokeObjectURL.call(URL, url);
		}
	});
}

/** `buffer.resolveObjectURL`: blob of an address, until it is revoked. */
export const resolveObjectURL = (url: string): Blob | undefined => blobs.get(String(url));
