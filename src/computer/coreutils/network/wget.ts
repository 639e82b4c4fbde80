import type { BuiltIn } from '#computer/shell/state/host.ts';
import { UsageError, utility } from '../options.ts';
import { curl } from './curl.ts';

/** wget's exit codes for errors that have another code in curl. */
const FAILED = { network: 4, server: 8 } as const;
const CURL_HTTP = 22;

/** `wget`: implemented by curl; writes to a file named after the address by default. */
export const wget: BuiltIn = utility(
	'q|quiet n v d O|output-document= P|directory-prefix= nv|no-verbose c|continue N|timestamping header= post-data= method= ' +
		'body-data= user= password= U|user-agent= T|timeout= t|tries= no-check-certificate spider S|server-response ' +
		'show-progress progress= content-disposition V|version',
	async (call, options) => {
		if (options.has('V')) {
			await call.out('wget for Sandglass: what curl does\n');
			return 0;
		}
		if (options.operands.length === 0) throw new UsageError('missing URL');
		let status = 0;
		for (const address of options.operands) {
			const place = options.get('O') ?? nameOf(address);
			const directory = options.get('P');
			const file = place === '-' || directory === undefined ? place : `${directory}/${place}`;
			const values: [from: string, to: string][] = [
				['header', '-H'],
				['post-data', '-d'],
				['body-data', '-d'],
				['method', '-X'],
				['U', '-A'],
				['T', '-m']
			];
			const args = values.flatMap(([from, to]) => options.all(from).flatMap((value) => [to, value]));
			const user = options.get('user');
			if (user !== undefined) args.push('-u', `${user}:${options.get('password') ?? ''}`);
			if (options.has('spider')) args.push('-I', '-o', '/dev/null');
			else if (file !== '-') args.push('--create-dirs', '-o', file);
			const code = await curl({ ...call, args: ['-fsSL', ...args, address] });
			if (code !== 0) status = code === CURL_HTTP ? FAILED.server : FAILED.network;
			else if (!options.has('q') && file !== '-' && !options.has('spider')) await call.complain(`'${file}' saved`);
		}
		return status;
	},
	2
);

/** Last part of an address, used by wget as the file's name. */
function nameOf(address: string): string {
	const path = address.replace(/^[a-z]+:\/\/[^/]*/i, '').replace(/#.*/, '');
	return path.split('/').at(-1) || 'index.html';
}
