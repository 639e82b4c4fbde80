/** The part of the File System Access API that browsers may lack, so the DOM library does not declare it. */
interface FileSystemHandle {
	queryPermission?(descriptor: { mode: 'read' | 'readwrite' }): Promise<PermissionState>;
	requestPermission?(descriptor: { mode: 'read' | 'readwrite' }): Promise<PermissionState>;
}

interface Window {
	showDirectoryPicker?(options?: { id?: string; mode?: 'read' | 'readwrite' }): Promise<FileSystemDirectoryHandle>;
}
