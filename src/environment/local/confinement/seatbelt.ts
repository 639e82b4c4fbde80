import type { Confinement, EnforcedRights } from './types.ts';

/** Services that ordinary programs use for users, time zones and logging. */
const SERVICES = [
	'com.apple.system.opendirectoryd.libinfo',
	'com.apple.system.opendirectoryd.membership',
	'com.apple.system.notification_center',
	'com.apple.system.logger',
	'com.apple.logd',
	'com.apple.diagnosticd'
];
const NETWORK_SERVICES = ['com.apple.trustd', 'com.apple.trustd.agent', 'com.apple.SystemConfiguration.configd'];

/**
 * Confines with macOS's sandbox, using `sandbox-exec`. Other services are blocked: one could do what the command may
 * not.
 */
export class Seatbelt implements Confinement {
	constructor(private readonly program: string) {}

	wrap(words: readonly string[], rights: EnforcedRights): ReturnType<Confinement['wrap']> {
		return { program: this.program, args: ['-p', seatbeltProfile(rights), ...words] };
	}
}

/** Builds a profile in the sandbox's own language that allows all reads, and otherwise what the rights allow. */
export function seatbeltProfile({ write, network }: EnforcedRights): string {
	const services = [...SERVICES, ...(network ? NETWORK_SERVICES : [])];
	const rules = [
		'(version 1)',
		'(allow default)',
		'(deny signal)',
		'(allow signal (target same-sandbox))',
		'(deny process-info*)',
		'(allow process-info* (target same-sandbox))',
		'(deny appleevent-send)',
		'(deny mach-lookup)',
		`(allow mach-lookup ${services.map((name) => `(global-name ${quoted(name)})`).join(' ')})`,
		'(deny network-outbound (remote unix-socket))'
	];
	if (!network) rules.push('(deny network*)');
	if (write !== 'all') {
		const places = write.map((path) => `(subpath ${quoted(path)})`);
		const devices = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/stdout', '/dev/stderr'].map(
			(path) => `(literal ${quoted(path)})`
		);
		rules.push('(deny file-write*)', `(allow file-write* ${[...devices, ...places].join(' ')})`);
	}
	return rules.join('\n');
}

const quoted = (text: string): string => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
