/** Exists in workers only, so the DOM library does not declare it. */
interface FileSystemSyncAccessHandle {
	read(buffer: Uint8Array, options?: { at?: number }): number;
	write(buffer: Uint8Array, options?: { at?: number }): number;
	truncate(size: number): void;
	getSize(): number;
	flush(): void;
	close(): void;
}

interface FileSystemFileHandle {
	createSyncAccessHandle(): Promise<FileSystemSyncAccessHandle>;
}
