/** Prints the socket table, terminated by a null character, for each line of its input. */
export const PORTS = `
while read -r _; do
	cat /proc/net/tcp /proc/net/tcp6 2>/dev/null
	printf '\\0'
done
`;

/** Prints for each given socket whose process is found: its inode, the process id and the command line. */
export const OWNERS = `
for process in /proc/[0-9]*; do
	files=$(ls -l "$process/fd" 2>/dev/null) || continue
	for inode in "$@"; do
		case $files in
		*"socket:[$inode]"*)
			printf '%s %s ' "$inode" "\${process#/proc/}"
			tr '\\0' ' ' <"$process/cmdline" 2>/dev/null
			printf '\\0' ;;
		esac
	done
done
`;

/**
 * Forwards its input to a port and the port's data to its output, with an available program; exit code 69 if there is
 * none. Uses `dd`, which forwards data at once; BusyBox's `cat` buffers what it reads from a socket until the end.
 */
export const RELAY = `
if command -v bash >/dev/null; then
	exec bash --norc --noprofile -c '
		exec 3<>"/dev/tcp/127.0.0.1/$1" || exec 3<>"/dev/tcp/::1/$1" || exit 1
		exec 4<&0
		cat <&4 >&3 &
		dd bs=65536 <&3 2>/dev/null &
		wait -n
		kill $(jobs -p)
	' relay "$1" 2>/dev/null
fi
if command -v nc >/dev/null; then exec nc 127.0.0.1 "$1" 2>/dev/null; fi
exit 69
`;
