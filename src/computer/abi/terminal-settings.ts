/** Handling of keys and output by a terminal: the subset of `termios` that programs set. */
export interface TerminalSettings {
	/** Keys form lines that can be edited until Enter (ICANON); otherwise each arrives immediately. */
	lines: boolean;
	/** Keys are shown as they are pressed (ECHO). */
	echo: boolean;
	/** Ctrl-C is SIGINT (ISIG); otherwise a byte. */
	signals: boolean;
	/** Enter, which terminals send as a carriage return, arrives as a line feed (ICRNL). */
	returnsAreFeeds: boolean;
	/** A printed line feed also returns to the start of the line (OPOST). */
	feedsReturn: boolean;
}

/** Initial settings of a terminal: `stty sane`. */
export const COOKED: TerminalSettings = {
	lines: true,
	echo: true,
	signals: true,
	returnsAreFeeds: true,
	feedsReturn: true
};

/** Each key as it is pressed, without echo; output is handled as before, as Node's `setRawMode` leaves it. */
export const RAW: TerminalSettings = {
	lines: false,
	echo: false,
	signals: false,
	returnsAreFeeds: false,
	feedsReturn: true
};
