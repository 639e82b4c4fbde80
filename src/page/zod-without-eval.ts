import { config } from 'zod/v4/core';

// zod probes for `new Function` to compile parsers. The page's policies block that, and report each attempt.
config({ jitless: true });
