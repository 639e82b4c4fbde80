// Starts the built server of the product, its log on standard output. `<upstream> <path of dist/server/main.js>`.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { announce } from './subject.ts';

const [upstream = '', main = ''] = process.argv.slice(2);
const { startServer } = (await import(pathToFileURL(main).href)) as typeof import('../../../server/main.ts');
const many = 1e9;
/** As long as real ones: each chunk is searched for it. */
const KEY = 'sk-of-the-benchmark-0123456789-0123456789-0123456789';
const server = await startServer({
	localServers: [],
	rateLimits: { llm: many, outbound: many, shares: many, wrongTokens: many },
	env: {
		PORT: '0',
		HOST: '127.0.0.1',
		SANDGLASS_PREVIEW_ORIGIN: 'off',
		SHARES_DIR: mkdtempSync(path.join(tmpdir(), 'sandglass-bench-')),
		// The path after `/v1` is the call; the part before it is for the fake provider.
		...Object.fromEntries(
			['json/0', 'endless/0', '60/100', '40/250'].flatMap((kind) => [
				[`COMPATIBLE_${kind.replace('/', '_').toUpperCase()}_BASE_URL`, `${upstream}/${kind}/v1`],
				[`COMPATIBLE_${kind.replace('/', '_').toUpperCase()}_API_KEY`, KEY]
			])
		)
	}
});
announce({ address: '127.0.0.1', family: 'IPv4', port: Number(new URL(server.url).port) });
