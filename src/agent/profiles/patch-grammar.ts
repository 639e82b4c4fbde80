/** The patch format of 000, Appendix A, for models that write it as free text under a grammar (Lark). */
export const PATCH_GRAMMAR = `start: "*** Begin Patch" LF section+ "*** End Patch" LF?
section: added | deleted | updated
added: "*** Add File: " path LF ("+" rest LF)+
deleted: "*** Delete File: " path LF
updated: "*** Update File: " path LF moved? hunks?
moved: "*** Move to: " path LF
hunks: (header | line)+ ended?
header: ("@@" | "@@ " path) LF
line: ("+" | "-" | " ") rest LF
ended: "*** End of File" LF
path: /(.+)/
rest: /(.*)/
%import common.LF
`;
