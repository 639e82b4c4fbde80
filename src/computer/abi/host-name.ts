/** Name of this machine, as `hostname` and `os.hostname()` report it. */
export const HOST_NAME = 'sandglass';
