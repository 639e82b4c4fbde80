import { isCharacterDevice } from '#computer/abi/special-files.ts';
import { decode } from '#computer/process/text.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { utility } from '../options.ts';

const MAGIC: [RegExp, string][] = [
	[/^\x89PNG\r\n/, 'PNG image data'],
	[/^\xff\xd8\xff/, 'JPEG image data'],
	[/^GIF8/, 'GIF image data'],
	[/^PK\x03\x04/, 'Zip archive data, at least v2.0 to extract'],
	[/^\x1f\x8b/, 'gzip compressed data'],
	[/^%PDF-/, 'PDF document'],
	[/^\0asm/, 'WebAssembly (wasm) binary module version 0x1 (MVP)'],
	[/^SQLite format 3/, 'SQLite 3.x database'],
	[/^#! ?\/(usr\/)?bin\/(env )?(ba)?sh/, 'Bourne-Again shell script, ASCII text executable'],
	[/^#! ?\/usr\/bin\/env node/, 'Node.js script, ASCII text executable'],
	[/^#! ?\S*python3?/, 'Python script, ASCII text executable']
];

function kindOf(call: Call, name: string): string {
	const { sync } = call.shell.host.context;
	const path = call.shell.path(name);
	const stat = sync.statOrNull(path);
	if (!stat) return `cannot open \`${name}' (No such file or directory)`;
	if (stat.kind === 'directory') return 'directory';
	if (stat.kind === 'fifo') return 'fifo (named pipe)';
	if (stat.kind === 'socket') return 'socket';
	if (isCharacterDevice(stat)) return 'character special (1/3)';
	if (stat.size === 0) return 'empty';
	const bytes = sync.readFile(path, 0, 65536);
	const start = String.fromCharCode(...bytes.subarray(0, 64));
	if (start.startsWith('\x89PNG') && bytes.length > 25) {
		const [width, height] = [16, 20].map((at) => new DataView(bytes.buffer, bytes.byteOffset).getUint32(at));
		const colour = { 0: 'grayscale', 2: 'RGB', 3: 'colormap', 4: 'gray+alpha', 6: 'RGBA' }[bytes[25] ?? 0] ?? '';
		return `PNG image data, ${width} x ${height}, ${bytes[24]}-bit${colour && (bytes[25] === 3 ? ' ' : '/color ')}${colour}, ${bytes[28] ? '' : 'non-'}interlaced`;
	}
	for (const [magic, text] of MAGIC) if (magic.test(start)) return text;
	if (bytes.includes(0)) return 'data';
	const text = decode(bytes);
	try {
		if (/^\s*[[{]/.test(text) && stat.size <= bytes.length)
			return JSON.parse(text) !== undefined ? 'JSON text data' : '';
	} catch {
		// Not JSON after all.
	}
	const isPython = /^(import \w|from [\w.]+ import )/m.test(text) && /^(def|class|import|from) /m.test(text);
	if (isPython && /^(def|class) .*:$/m.test(text)) return 'Python script, ASCII text executable';
	if (/^\s*<(!doctype html|html)\b/i.test(text)) return 'HTML document, ASCII text';
	const encoding = /^[\x00-\x7f]*$/.test(text)
		? 'ASCII text'
		: /[\udc80-\udcff](?<![\ud800-\udbff].)/.test(text)
			? 'ISO-8859 text'
			: 'Unicode text, UTF-8 text';
	return `${encoding}${/\r\n/.test(text) ? ', with CRLF line terminators' : /\n/.test(text) ? '' : ', with no line terminators'}`;
}

const MIME: [RegExp, string][] = [
	[/^PNG/, 'image/png'],
	[/^JPEG/, 'image/jpeg'],
	[/^GIF/, 'image/gif'],
	[/^Zip/, 'application/zip'],
	[/^gzip/, 'application/gzip'],
	[/^PDF/, 'application/pdf'],
	[/^WebAssembly/, 'application/wasm'],
	[/^SQLite/, 'application/vnd.sqlite3'],
	[/^JSON/, 'application/json'],
	[/^directory/, 'inode/directory'],
	[/^empty/, 'inode/x-empty'],
	[/^data/, 'application/octet-stream'],
	[/shell script/, 'text/x-shellscript'],
	[/^Python/, 'text/x-script.python'],
	[/^Node/, 'application/javascript'],
	[/^HTML/, 'text/html'],
	[/text/, 'text/plain']
];

function mimeOf(kind: string, name: string): string {
	if (/\.svg$/.test(name)) return 'image/svg+xml';
	return MIME.find(([pattern]) => pattern.test(kind))?.[1] ?? kind;
}

function mimeWithCharset(kind: string, name: string): string {
	const type = mimeOf(kind, name);
	const charset = /UTF-8/.test(kind) ? 'utf-8' : /ISO-8859/.test(kind) ? 'iso-8859-1' : 'us-ascii';
	return `${type}; charset=${/^(text|application\/json|image\/svg)/.test(type) ? charset : 'binary'}`;
}

/** `file`. */
export const file = utility('b|brief i|mime mime-type L|dereference h z k', async (call, options) => {
	const width = Math.max(...options.operands.map((name) => name.length), 0) + 2;
	for (const name of options.operands) {
		const kind = kindOf(call, name);
		const shown = options.has('mime-type') ? mimeOf(kind, name) : options.has('i') ? mimeWithCharset(kind, name) : kind;
		await call.out(`${options.has('b') ? '' : `${name}:`.padEnd(width)}${shown}\n`);
	}
	return 0;
});
