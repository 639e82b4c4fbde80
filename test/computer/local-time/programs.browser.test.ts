import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ExecutionEnvironment } from '#environment/contract.ts';
import { pythonSandbox } from '../python/sandbox.ts';

let sandbox: ExecutionEnvironment;
/** Starting Python is slow on a busy machine. */
const LIMIT_MS = 170_000;
const run = async (command: string, stdin = '') => {
	const { stdout, stderr, exitCode } = await sandbox.exec(command, { timeoutMs: LIMIT_MS, stdin });
	return { lines: stdout.trimEnd().split('\n'), stderr, exitCode };
};

beforeAll(async () => void (sandbox = await pythonSandbox()));
afterAll(() => sandbox.cleanup());

it('Node follows TZ, and changes of it, in contexts and threads, too', async () => {
	const program = `
const at = new Date(1700000000000);
console.log(String(at), Intl.DateTimeFormat().resolvedOptions().timeZone);
process.env.TZ = 'Asia/Tokyo';
console.log(at.getHours(), at.toLocaleString('en-US'), new Date(2024, 0, 1).toISOString());
require('vm').runInNewContext('console.log(new Date(0).getHours())', { console });
const { Worker } = require('worker_threads');
new Worker('console.log(new Date(0).getHours())', { eval: true }).on('exit', () => {
	delete process.env.TZ;
	console.log(new Date(0).getHours() === OWN);
});
`;
	const own = new Date(0).getHours();
	await sandbox.writeFile('zones.js', program.replace('OWN', String(own)));
	expect(await run('TZ=America/New_York node zones.js')).toEqual({
		lines: [
			'Tue Nov 14 2023 17:13:20 GMT-0500 (Eastern Standard Time) America/New_York',
			'7 11/15/2023, 7:13:20 AM 2023-12-31T15:00:00.000Z',
			'9',
			'9',
			'true'
		],
		stderr: '',
		exitCode: 0
	});
});

it('Python follows TZ as CPython does, and has time.tzset', { timeout: LIMIT_MS }, async () => {
	const program = `
import datetime, os, time
print(time.tzname, time.timezone, time.altzone, time.daylight)
print(datetime.datetime.fromtimestamp(1700000000), datetime.datetime(2024, 7, 1, 12).astimezone())
for zone in ('Asia/Tokyo', 'EST+05EDT,M4.1.0,M10.5.0', 'AEST-10AEDT-11,M10.5.0,M3.5.0'):
    os.environ['TZ'] = zone
    time.tzset()
    print(time.tzname, time.timezone, time.altzone, time.localtime(1720000000).tm_isdst, time.strftime('%H %Z', time.localtime(0)))
`;
	expect(await run('TZ=America/New_York python3 -', program)).toEqual({
		lines: [
			"('EST', 'EDT') 18000 14400 1",
			'2023-11-14 17:13:20 2024-07-01 12:00:00-04:00',
			"('JST', 'JST') -32400 -32400 0 09 JST",
			"('EST', 'EDT') 18000 14400 1 19 EST",
			"('AEST', 'AEDT') -36000 -39600 0 11 AEDT"
		],
		stderr: '',
		exitCode: 0
	});
});
