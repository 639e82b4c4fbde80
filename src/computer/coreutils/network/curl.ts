import { SyscallError } from '#computer/abi/client.ts';
import type { WireResponse } from '#computer/abi/syscalls.ts';
import type { Call } from '#computer/shell/state/host.ts';
import { concat, encode } from '#computer/process/text.ts';
import { type Options, UsageError, utility } from '../options.ts';

const SPECIFICATION =
	's|silent S|show-error f|fail fail-with-body L|location o|output= O|remote-name I|head X|request= H|header= d|data|data-ascii= data-raw= data-binary= ' +
	'data-urlencode= json= w|write-out= i|include A|user-agent= u|user= b|cookie= e|referer= F|form= G|get m|max-time= connect-timeout= retry= retry-delay= retry-max-time= ' +
	'retry-connrefused retry-all-errors compressed k|insecure v|verbose N|no-buffer D|dump-header= T|upload-file= url= create-dirs output-dir= ' +
	'x|proxy= max-redirs= http1.1 http2 g|globoff V|version h|help=? #|progress-bar no-progress-meter proto= tlsv1.2 post301 post302 post303 location-trusted path-as-is 4|ipv4 6|ipv6 J';

/** curl's exit codes for errors that can occur here. */
const Exit = { usage: 2, url: 3, resolve: 6, connect: 7, http: 22, write: 23, time: 28 } as const;

/** `curl`: each request goes through the page, which asks the user and logs it, or to a server in the sandbox. */
export const curl = utility(
	SPECIFICATION,
	async (call, options) => {
		if (options.has('V')) {
			await call.out('curl for Sandglass\nProtocols: http https\n');
			return 0;
		}
		const urls = [...options.all('url'), ...options.operands];
		if (urls.length === 0) throw new UsageError("no URL specified! Try 'curl --help' for more information");
		let status = 0;
		const outputs = options.given.filter(({ name }) => name === 'o' || name === 'O');
		for (const [index, url] of urls.entries()) status = await transfer(call, options, url, outputs[index]);
		return status;
	},
	Exit.usage
);

async function transfer(
	call: Call,
	options: Options,
	text: string,
	output: { name: string; value: string } | undefined
): Promise<number> {
	const fail = async (code: number, message: string) => {
		await complain(call, options, `curl: (${code}) ${message}`);
		return code;
	};
	let url: URL;
	try {
		url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`);
	} catch {
		return fail(Exit.url, 'URL using bad/illegal format or missing URL');
	}
	if (!/^https?:$/.test(url.protocol)) return fail(1, `Protocol "${url.protocol.slice(0, -1)}" not supported`);
	const body = await requestBody(call, options, url);
	const exchange: Exchange = {
		method: options.get('X') ?? (options.has('I') ? 'HEAD' : options.has('T') ? 'PUT' : body ? 'POST' : 'GET'),
		url,
		headers: requestHeaders(options, body),
		body: body?.bytes ?? null,
		redirects: 0
	};
	const started = performance.now();
	const outcome = await sendWithRetries(call, options, exchange);
	const response = 'response' in outcome ? outcome.response : null;
	const failure =
		'response' in outcome ? await deliver(call, options, exchange.url, outcome.response, output) : outcome;
	const code = failure ? await fail(failure.code, failure.message) : 0;
	const format = options.get('w');
	if (format !== undefined)
		await call.out(written(format, response, { ...exchange, seconds: (performance.now() - started) / 1000 }));
	return code;
}

/** Writes the parts of a response that the options select. Returns the error, or null. */
async function deliver(
	call: Call,
	options: Options,
	url: URL,
	response: WireResponse,
	output: { name: string; value: string } | undefined
): Promise<Failure | null> {
	const { shell } = call;
	const failed = response.status >= 400 && options.has('f', 'fail-with-body');
	const head = responseHead(response);
	if (options.has('v')) await shell.descriptors.get(2)?.write(encode(head.replace(/^/gm, '< ').replace(/< $/, '')));
	const pieces: Uint8Array[] = [];
	if (options.has('i', 'I')) pieces.push(encode(head));
	if (!options.has('I') && !(failed && !options.has('fail-with-body'))) pieces.push(response.body);
	const bytes = concat([...pieces, new Uint8Array()]);
	const dump = options.get('D');
	if (dump !== undefined && dump !== '-') shell.host.context.sync.writeFile(shell.path(dump), encode(head));
	const name = output?.name === 'O' ? decodeURIComponent(url.pathname.split('/').at(-1) ?? '') : output?.value;
	if (output?.name === 'O' && !name) return { code: Exit.write, message: 'Remote file name has no length' };
	if (name !== undefined && name !== '-') {
		const problem = store(call, options, name, failed ? null : bytes);
		if (problem !== null) return { code: Exit.write, message: `Failure writing output to destination: ${problem}` };
	} else if (bytes.length) await shell.descriptors.require(1).write(bytes);
	return failed ? { code: Exit.http, message: `The requested URL returned error: ${response.status}` } : null;
}

/** Reason why a request failed or its response was rejected, with curl's exit code. */
interface Failure {
	code: number;
	message: string;
}

/** Statuses after which `--retry` tries again. */
const TRANSIENT: ReadonlySet<number> = new Set([408, 429, 500, 502, 503, 504]);
const LONGEST_PAUSE_S = 600;

/** Sends a request, and retries transient errors as often as `--retry` allows. */
async function sendWithRetries(
	call: Call,
	options: Options,
	exchange: Exchange
): Promise<{ response: WireResponse } | Failure> {
	const { shell } = call;
	const started = performance.now();
	const delay = options.number('retry-delay', 0);
	let pause = delay > 0 ? delay : 1;
	for (let left = options.number('retry', 0); ; left--) {
		const asked = { ...exchange };
		const outcome = await send(call, options, exchange);
		const problem = left > 0 ? passingProblem(outcome, options) : null;
		const longest = options.number('retry-max-time', 0);
		if (problem === null || (longest > 0 && (performance.now() - started) / 1000 + pause > longest)) return outcome;
		const wait = `${pause} second${pause === 1 ? '' : 's'}`;
		const rest = `${left} ${left === 1 ? 'retry' : 'retries'}`;
		await complain(call, options, `Warning: Problem: ${problem}. Will retry in ${wait}. ${rest} left.`);
		await shell.control.race(new Promise((resolve) => setTimeout(resolve, pause * 1000)));
		if (delay <= 0) pause = Math.min(pause * 2, LONGEST_PAUSE_S);
		Object.assign(exchange, asked);
	}
}

/** Names a transient error, in curl's words; null if a retry is useless. */
function passingProblem(outcome: { response: WireResponse } | Failure, options: Options): string | null {
	if ('response' in outcome) {
		const { status } = outcome.response;
		if (TRANSIENT.has(status)) return 'HTTP error';
		return status >= 400 && options.has('f', 'fail-with-body') && options.has('retry-all-errors')
			? '(retrying all errors)'
			: null;
	}
	if (outcome.code === Exit.time) return 'timeout';
	if (outcome.code === Exit.connect && options.has('retry-connrefused')) return 'connection refused';
	return options.has('retry-all-errors') ? '(retrying all errors)' : null;
}

/** Sends a request once. */
async function send(call: Call, options: Options, exchange: Exchange): Promise<{ response: WireResponse } | Failure> {
	const limitMs = Number(options.get('m') ?? 0) * 1000;
	try {
		const response = await sendAndFollow(call, options, exchange, limitMs);
		return response ? { response } : { code: Exit.time, message: `Operation timed out after ${limitMs} milliseconds` };
	} catch (error) {
		if (!(error instanceof SyscallError)) throw error;
		const { hostname, port, protocol } = exchange.url;
		if (error.code === 'ENOTFOUND') return { code: Exit.resolve, message: `Could not resolve host: ${hostname}` };
		const shownPort = port || (protocol === 'https:' ? 443 : 80);
		return { code: Exit.connect, message: `Failed to connect to ${hostname} port ${shownPort}: ${error.message}` };
	}
}

/** Writes a line to stderr, unless `-s` without `-S` forbids it. */
async function complain({ shell }: Call, options: Options, line: string): Promise<void> {
	if (!options.has('s') || options.has('S')) await shell.descriptors.get(2)?.write(encode(`${line}\n`));
}

/** A request; it changes as redirects are followed. */
interface Exchange {
	method: string;
	url: URL;
	headers: [string, string][];
	body: Uint8Array | null;
	redirects: number;
}

/** Sends a request and, with `-L`, follows redirects. Null on a timeout. @throws SyscallError */
async function sendAndFollow(
	{ shell }: Call,
	options: Options,
	exchange: Exchange,
	limitMs: number
): Promise<WireResponse | null> {
	for (;;) {
		const { method, url, headers, body } = exchange;
		const hasBody = method !== 'GET' && method !== 'HEAD';
		if (options.has('v')) await shell.descriptors.get(2)?.write(encode(requestHead(method, url, headers)));
		const request = { method, url: url.href, headers, body: hasBody ? body : null, purpose: 'curl' };
		const response = await limited(shell.control.race(shell.host.context.async.fetch(request)), limitMs);
		const location = response && options.has('L', 'location-trusted') ? redirectOf(response) : null;
		if (!response || !location || ++exchange.redirects > options.number('max-redirs', 50)) return response;
		const next = new URL(location, url);
		if (dropsBody(response.status, options)) {
			exchange.body = null;
			exchange.headers = headers.filter(([name]) => !/^content-/i.test(name));
			if (!options.has('X', 'I')) exchange.method = 'GET';
		}
		if (!options.has('location-trusted'))
			exchange.headers = exchange.headers.filter(([name]) => mayFollow(name, url, next));
		exchange.url = next;
	}
}

const requestHead = (method: string, url: URL, headers: [string, string][]): string =>
	`> ${method} ${url.pathname}${url.search} HTTP/1.1\n> Host: ${url.host}\n` +
	`${headers.map(([name, value]) => `> ${name}: ${value}\n`).join('')}> \n`;

const responseHead = ({ status, statusText, headers }: WireResponse): string =>
	`HTTP/1.1 ${status} ${statusText}`.trimEnd() +
	`\r\n${headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;

/** Target address of a redirect; null for any other response. */
function redirectOf(response: WireResponse): string | null {
	const isRedirect = response.status >= 300 && response.status <= 399;
	return isRedirect ? headerOf(response, 'location') || null : null;
}

/** Writes a response to the file of `-o` or `-O`; `null` writes nothing. Returns the error, or null. */
function store({ shell }: Call, options: Options, name: string, bytes: Uint8Array | null): string | null {
	const { sync } = shell.host.context;
	const path = shell.path(`${options.has('output-dir') ? `${options.get('output-dir')}/` : ''}${name}`);
	if (options.has('create-dirs')) sync.mkdir(path.replace(/\/[^/]*$/, ''), { recursive: true });
	if (!bytes || name === '/dev/null') return null;
	try {
		sync.writeFile(path, bytes, { mode: 0o666 & ~shell.umask });
		return null;
	} catch (error) {
		return error instanceof Error ? error.message : name;
	}
}

async function limited<Value>(work: Promise<Value>, limitMs: number): Promise<Value | null> {
	if (!(limitMs > 0)) return work;
	let timer: ReturnType<typeof setTimeout> | undefined;
	const late = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), limitMs)));
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}

/** These redirects repeat the request without its data, as a GET unless `-X` names the method. */
const dropsBody = (status: number, options: Options): boolean =>
	!options.has(`post${status}`) && (status === 303 || (!options.has('T') && (status === 301 || status === 302)));

/** Credentials are not sent to another origin, cookies not to another host. */
function mayFollow(header: string, from: URL, to: URL): boolean {
	if (/^authorization$/i.test(header)) return from.origin === to.origin;
	return !/^cookie$/i.test(header) || from.hostname === to.hostname;
}

const headerOf = (response: WireResponse, wanted: string) =>
	response.headers.find(([name]) => name.toLowerCase() === wanted)?.[1];

function requestHeaders(options: Options, body: { type: string } | null): [string, string][] {
	const headers: [string, string][] = [];
	const put = (name: string, value: string) => {
		const at = headers.findIndex(([known]) => known.toLowerCase() === name.toLowerCase());
		if (at >= 0) headers.splice(at, 1);
		headers.push([name, value]);
	};
	put('User-Agent', options.get('A') ?? 'curl/8.0');
	put('Accept', '*/*');
	if (body) put('Content-Type', body.type);
	const user = options.get('u');
	if (user !== undefined) put('Authorization', `Basic ${btoa(String.fromCharCode(...encode(user)))}`);
	const cookie = options.get('b');
	if (cookie !== undefined) put('Cookie', cookie);
	const referer = options.get('e');
	if (referer !== undefined) put('Referer', referer);
	if (options.has('json')) put('Accept', 'application/json');
	for (const text of options.all('H')) {
		const at = text.indexOf(':');
		if (at > 0 && text.slice(at + 1).trim()) put(text.slice(0, at), text.slice(at + 1).trim());
		else if (at > 0)
			headers.splice(
				0,
				headers.length,
				...headers.filter(([name]) => name.toLowerCase() !== text.slice(0, at).toLowerCase())
			);
	}
	return headers;
}

async function contentOf(call: Call, name: string): Promise<Uint8Array> {
	const { shell } = call;
	return name === '-'
		? shell.control.race(shell.descriptors.require(0).readAll())
		: shell.host.context.sync.readFile(shell.path(name));
}

const DATA = ['d', 'data-raw', 'data-binary', 'data-urlencode', 'json'];

async function requestBody(
	call: Call,
	options: Options,
	url: URL
): Promise<{ bytes: Uint8Array; type: string } | null> {
	const upload = options.get('T');
	if (upload !== undefined) return { bytes: await contentOf(call, upload), type: 'application/octet-stream' };
	if (options.has('F')) return form(call, options);
	const parts: Uint8Array[] = [];
	for (const { name, value } of options.given) {
		if (!DATA.includes(name)) continue;
		if (parts.length && name !== 'json') parts.push(encode('&'));
		if (name === 'data-urlencode') {
			const [, key = '', text = ''] = /^(?:([^=]*)=)?(.*)$/s.exec(value) ?? [];
			parts.push(encode(`${key ? `${key}=` : ''}${encodeURIComponent(text)}`));
		} else if (value.startsWith('@') && name !== 'data-raw') {
			const bytes = await contentOf(call, value.slice(1));
			parts.push(name === 'd' ? bytes.filter((byte) => byte !== 10 && byte !== 13) : bytes);
		} else parts.push(encode(value));
	}
	if (parts.length === 0) return null;
	const bytes = concat(parts);
	if (options.has('G')) {
		url.search += `${url.search ? '&' : '?'}${new TextDecoder().decode(bytes)}`;
		return null;
	}
	return { bytes, type: options.has('json') ? 'application/json' : 'application/x-www-form-urlencoded' };
}

/** `-F name=value`, `-F file=@path`. */
async function form(call: Call, options: Options): Promise<{ bytes: Uint8Array; type: string }> {
	const boundary = `------------------------${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;
	const parts: Uint8Array[] = [];
	for (const text of options.all('F')) {
		const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
		const file = /^@([^;]*)(?:;type=(.*))?$/s.exec(value);
		const path = file?.[1] ?? '';
		const disposition = `Content-Disposition: form-data; name="${name}"${file ? `; filename="${path.split('/').at(-1)}"` : ''}\r\n`;
		const type = file ? `Content-Type: ${file[2] ?? 'application/octet-stream'}\r\n` : '';
		parts.push(
			encode(`--${boundary}\r\n${disposition}${type}\r\n`),
			file ? await contentOf(call, path) : encode(value),
			encode('\r\n')
		);
	}
	parts.push(encode(`--${boundary}--\r\n`));
	return { bytes: concat(parts), type: `multipart/form-data; boundary=${boundary}` };
}

function written(
	format: string,
	response: WireResponse | null,
	about: { url: URL; seconds: number; redirects: number; method: string }
): string {
	const status = String(response?.status ?? 0).padStart(3, '0');
	const header = (name: string): string => (response ? (headerOf(response, name) ?? '') : '');
	const values: Record<string, string> = {
		http_code: status,
		response_code: status,
		content_type: header('content-type'),
		size_download: String(response?.body.length ?? 0),
		time_total: about.seconds.toFixed(6),
		url_effective: about.url.href,
		num_redirects: String(about.redirects),
		redirect_url: header('location'),
		method: about.method,
		scheme: about.url.protocol.slice(0, -1).toUpperCase(),
		http_version: '1.1'
	};
	return format
		.replace(/%\{(\w+)\}/g, (_whole, name: string) => values[name] ?? '')
		.replace(/%header\{([\w-]+)\}/g, (_whole, name: string) => header(name.toLowerCase()))
		.replace(/\\([nrt\\])/g, (_whole, letter: string) => ({ n: '\n', r: '\r', t: '\t', '\\': '\\' })[letter] ?? letter)
		.replaceAll('%%', '%');
}
