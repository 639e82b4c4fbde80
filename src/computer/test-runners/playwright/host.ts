/** Functions of the process in which tests run. */
export interface Host {
	importFile(path: string): Promise<unknown>;
	/** Sends one request to the preview, as JSON. Rejects if nothing is displayed at all. */
	preview(request: string): Promise<string>;
	/** Returns the content; `null` if there is no such file. */
	read(path: string): Uint8Array<ArrayBuffer> | null;
	write(path: string, content: string | Uint8Array): void;
	removeFolder(path: string): void;
	/** Paths of all files below a directory, without `node_modules`. */
	filesBelow(folder: string): string[];
	print(text: string): void;
	/** Runs a shell command in the background. */
	start(
		command: string,
		options: { cwd: string; env: Record<string, string> }
	): { kill(): void; exited: Promise<number> };
	isListening(port: number): boolean;
	env: Record<string, string | undefined>;
	cwd: string;
	isTerminal: boolean;
}
