import { UsageError, utility } from '../options.ts';
import { strftime } from '../time/strftime.ts';
import { zoneOf } from '#computer/local-time/zone.ts';

const MINUTE_MS = 60_000;

/** `uptime`: time since the first process started. A tab has no logins, and the browser does not reveal its load. */
export const uptime = utility('', async (call, { operands }) => {
	const [, extra] = operands;
	if (extra !== undefined) throw new UsageError(`extra operand '${extra}'`);
	const { sync } = call.shell.host.context;
	const now = sync.now();
	const started = Math.min(now, ...sync.processes().map(({ startedMs }) => startedMs));
	const minutes = Math.floor((now - started) / MINUTE_MS);
	const [days, hours] = [Math.floor(minutes / 1440), Math.floor((minutes % 1440) / 60)];
	const clock = strftime('%H:%M:%S', now, zoneOf(call.shell.variables.exported('TZ')));
	const whole = days > 0 ? `${days} day${days === 1 ? '' : 's'}, ` : '';
	const time = `${String(hours).padStart(2)}:${String(minutes % 60).padStart(2, '0')}`;
	await call.out(` ${clock} up ${whole}${time},  0 users,  load average: 0.00, 0.00, 0.00\n`);
	return 0;
});
