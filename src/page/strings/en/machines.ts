const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);

/** Strings about the machine that a session runs on. */
export const machines = {
	title: 'Where this session runs',
	/** Accessible name of the button in the header. */
	button: (where: string) => `Where this session runs: ${where}`,
	tab: 'This tab',
	tabFacts: (cores: number) => (cores === 1 ? '1 core, works offline' : `${cores} cores, works offline`),
	/** Titles of machines by their kind. */
	kinds: { docker: 'Bigger machine', kubernetes: 'Bigger machine', host: 'My computer' },
	/** The same, within a sentence. */
	names: { docker: 'the bigger machine', kubernetes: 'the bigger machine', host: 'your computer' },
	/** Name of the program that requests a host, as in “Let … reach example.org?”. */
	program: 'a program on the machine',
	cores: (cores: number) => (cores === 1 ? '1 core' : `${cores} cores`),
	memory: (size: string) => `${size} of memory`,
	folder: (name: string) => `The folder ${name} of the computer this server runs on. Commands have your rights there.`,
	lives: (time: string) => `up to ${time}`,
	left: (time: string) => `${time} left`,
	time: 'Time',
	cpu: 'CPU',
	memoryUsed: 'Memory',
	/** As in “5.4 of 16 GB”. */
	usedOf: (used: string, all: string) => `${used} of ${all}`,
	here: 'here now',
	reconnecting: 'Reconnecting…',
	lost: 'connection lost',
	move: { docker: 'Move here', kubernetes: 'Move here', host: 'Connect' },
	bringBack: 'Bring back',
	leaveWithoutCopy: 'Leave it, with the files copied last',
	close: 'Close',
	cancel: 'Cancel',
	connecting: 'Starting the machine…',
	preparing: 'Comparing the files…',
	moving: (done: number, all: number) => `Moving ${done} of ${files(all)}…`,
	switching: 'Continuing over there…',
	returning: 'Bringing the files back…',
	progress: 'Files moved',
	replace: (replaced: number, removed: number) =>
		`The folder over there has other files: ${files(replaced)} would be replaced and ${files(removed)} removed. Bringing the session back does not restore them.`,
	replaceYes: 'Replace them',
	replaceNo: 'Keep them',
	takeOver: 'Use it here instead',
	busy: 'The agent is working. Stop it, or wait, to move the session.',
	fork: 'A fork is open. Approve it or throw it away first; then the session can move.',
	readOnly: 'This session is open in another tab. Take it over first; then it can move.',
	behind: (failure: string) => `The tab hasn’t copied the last changes: ${failure}`,
	note: 'Files, history and permissions move along; large ignored folders such as node_modules stay behind. Going back to an earlier step works across machines.',
	moved: (name: string) => `The session continues on ${name}.`,
	broughtBack: 'The session is back in this tab.',
	/** Lines of the timeline. */
	movedTo: (name: string, seconds: string, count: number) => `Moved to ${name} · ${seconds} s, ${files(count)}`,
	returned: (seconds: string) => `Brought back to this tab · ${seconds} s`,
	lostThere: (name: string) => `The connection to ${name} was lost. From here on the session is in this tab.`,
	/** Labels of checkpoints. */
	checkpoint: (name: string) => `Moved to ${name}`,
	checkpointBack: 'Brought back to the tab',
	unreachable: 'The server can’t be reached. Check the connection, then try again. The session is where it was.',
	unreadable: 'This page doesn’t understand the server’s answer. Reload the page, then try again.'
};
