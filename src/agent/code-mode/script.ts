/** Marks a line of the script's output as a message to the host; no other line starts with it. */
export const MESSAGE_MARK = '\u0000sandglass:';

/**
 * Builds the program that runs a model's script: `tools.name(arguments)` sends a request on standard output and waits
 * for the answer on standard input, `text(value)` appends to the result, `ALL_TOOLS` lists the tools.
 *
 * @param source the model's script, the body of an async function
 */
export function programFor(source: string, tools: readonly { name: string; description: string }[]): string {
	return `${PRELUDE}
const ALL_TOOLS = ${JSON.stringify(tools)};
const tools = Object.fromEntries(ALL_TOOLS.map(({ name }) => [name, (given) => ask(name, given)]));
(async () => {
	const AsyncFunction = (async () => {}).constructor;
	const run = new AsyncFunction('tools', 'text', 'ALL_TOOLS', ${JSON.stringify(source)});
	await run(tools, text, ALL_TOOLS);
	send({ type: 'done' });
})().catch((error) => {
	send({ type: 'failed', message: error && error.stack ? String(error.stack) : String(error) });
}).finally(() => process.stdin.unref ? (process.stdin.pause(), process.stdin.unref()) : process.stdin.pause());
`;
}

const PRELUDE = `'use strict';
const waiting = new Map();
let last = 0;
let buffer = '';
const send = (message) => process.stdout.write(${JSON.stringify(MESSAGE_MARK)} + JSON.stringify(message) + '\\n');
const text = (value) => send({ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) ?? String(value) });
const ask = (name, given) => new Promise((resolve, reject) => {
	const id = ++last;
	waiting.set(id, { resolve, reject });
	send({ type: 'call', id, name, arguments: typeof given === 'string' ? { input: given } : given ?? {} });
});
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
	buffer += chunk;
	for (let end = buffer.indexOf('\\n'); end >= 0; end = buffer.indexOf('\\n')) {
		const { id, isError, value } = JSON.parse(buffer.slice(0, end));
		buffer = buffer.slice(end + 1);
		const asked = waiting.get(id);
		waiting.delete(id);
		if (isError) asked.reject(new Error(typeof value === 'string' ? value : value.output));
		else asked.resolve(value);
	}
});`;
