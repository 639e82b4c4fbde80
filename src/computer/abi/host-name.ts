/** Name of this machine, as `hostname` and `os.hostname()` say it. */
export const HOST_NAME = 'sandglass';
