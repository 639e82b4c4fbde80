import type { WireRequest, WireResponse } from '#computer/abi/syscalls.ts';

/** A package index as described by PEP 691 and PEP 503, in memory: `pip` reaches it through the page. */
export class PackageIndex {
	/** File name → content. */
	readonly files = new Map<string, Uint8Array>();
	/** Set if downloads differ from what the index says. */
	forged = false;

	/** @param address ends with a slash */
	constructor(readonly address: string) {}

	async answer({ url }: WireRequest): Promise<WireResponse> {
		if (!url.startsWith(this.address)) {
			throw Object.assign(new Error('this host is not in this test'), { code: 'ECONNREFUSED' });
		}
		const [name = '', file] = url.slice(this.address.length).split('/');
		const content = this.files.get(file ?? '');
		if (content) return answered(url, 200, this.forged ? new TextEncoder().encode('something else') : content);
		const files = [...this.files].filter(([each]) => canonical(each).startsWith(`${name}-`));
		if (files.length === 0) return answered(url, 404, new Uint8Array());
		const listed = files.map(async ([filename, bytes]) => ({
			filename,
			url: filename,
			hashes: { sha256: hex(await crypto.subtle.digest('SHA-256', bytes.slice())) },
			'requires-python': '>=3.8'
		}));
		const page = { meta: { 'api-version': '1.0' }, name, files: await Promise.all(listed) };
		return answered(url, 200, new TextEncoder().encode(JSON.stringify(page)));
	}
}

const answered = (url: string, status: number, body: Uint8Array): WireResponse => ({
	status,
	statusText: '',
	url,
	headers: [],
	body
});

/** Spelling of a package's name in the address of its page (PEP 503). */
const canonical = (name: string) => name.toLowerCase().replace(/[-_.]+/gu, '-');

const hex = (digest: ArrayBuffer) =>
	[...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
