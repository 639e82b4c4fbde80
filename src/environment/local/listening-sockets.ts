const LISTEN = '0A';
/** `sl local_address rem_address st … uid timeout inode`, see proc_net_tcp in the kernel's documentation. */
const LINE = /^\s*\d+: ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) \S+ ([0-9A-F]{2}) \S+ \S+ \S+\s+\d+\s+\d+ (\d{1,20})\b/;
/** Ends of `0.0.0.0`, `127.x.x.x`, `::` and `::1` as the kernel prints them on a little-endian machine, and `::ffff:127.x`. */
const IS_REACHABLE = /^(0{8}|[0-9A-F]{6}7F|0{32}|0{24}01000000|0{16}FFFF0000[0-9A-F]{6}7F|0{16}FFFF00000{8})$/;

/** A socket that waits for connections on the loopback interface. */
export interface ListeningSocket {
	port: number;
	/** Identifies the socket among the open files of its process. */
	inode: string;
}

/** Parses `/proc/net/tcp` and `/proc/net/tcp6`; ignores other lines. */
export function parseListening(text: string): ListeningSocket[] {
	return text.split('\n').flatMap((line) => {
		const [, address = '', port = '', state, inode = ''] = LINE.exec(line) ?? [];
		if (state !== LISTEN || !IS_REACHABLE.test(address)) return [];
		return [{ port: Number.parseInt(port, 16), inode }];
	});
}
