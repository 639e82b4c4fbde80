const TYPES: Readonly<Record<string, string>> = {
	html: 'text/html; charset=utf-8',
	htm: 'text/html; charset=utf-8',
	css: 'text/css; charset=utf-8',
	js: 'text/javascript; charset=utf-8',
	mjs: 'text/javascript; charset=utf-8',
	json: 'application/json',
	map: 'application/json',
	webmanifest: 'application/manifest+json',
	txt: 'text/plain; charset=utf-8',
	md: 'text/plain; charset=utf-8',
	xml: 'application/xml',
	csv: 'text/csv; charset=utf-8',
	svg: 'image/svg+xml',
	png: 'image/png',
	jpg: 'image/jpeg',
	jpeg: 'image/jpeg',
	gif: 'image/gif',
	webp: 'image/webp',
	avif: 'image/avif',
	ico: 'image/x-icon',
	bmp: 'image/bmp',
	woff: 'font/woff',
	woff2: 'font/woff2',
	ttf: 'font/ttf',
	otf: 'font/otf',
	mp3: 'audio/mpeg',
	wav: 'audio/wav',
	ogg: 'audio/ogg',
	mp4: 'video/mp4',
	webm: 'video/webm',
	pdf: 'application/pdf',
	wasm: 'application/wasm'
};

/** Media type of a file by its name. */
export function mediaType(path: string): string {
	return TYPES[path.slice(path.lastIndexOf('.') + 1).toLowerCase()] ?? 'application/octet-stream';
}

/** Encodes bytes as a data URL. */
export function dataAddress(path: string, bytes: Uint8Array): string {
	let binary = '';
	for (let at = 0; at < bytes.length; at += 0x8000) binary += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
	return `data:${mediaType(path).replace(/;.*/, '')};base64,${btoa(binary)}`;
}
