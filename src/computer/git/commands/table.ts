import type { Command } from '../invocation.ts';
import { add } from './add.ts';
import { am } from './am.ts';
import { apply } from './apply.ts';
import { bundle } from './bundle.ts';
import { branch } from './branch.ts';
import { catFile } from './cat-file.ts';
import { cherryPick, revert } from './cherry-pick.ts';
import { cloneWithModules } from './clone-modules.ts';
import { commit } from './commit.ts';
import { config } from './config.ts';
import { diff } from './diff.ts';
import { diffTree } from './diff-tree.ts';
import { fastImport } from './fast-import.ts';
import { fetch } from './fetch.ts';
import { filterBranch } from './filter-branch.ts';
import { fetchPack } from './fetch-pack.ts';
import { init } from './init.ts';
import { interpretTrailers } from './interpret-trailers.ts';
import { log, whatchanged } from './log.ts';
import { lsFiles } from './ls-files.ts';
import { lsRemote } from './ls-remote.ts';
import { merge } from './merge.ts';
import { mergeFile } from './merge-file.ts';
import { mergeRecursive } from './merge-recursive.ts';
import { mergeTree } from './merge-tree.ts';
import { mv } from './mv.ts';
import { patchIdCommand } from './patch-id.ts';
import { pull } from './pull.ts';
import { push } from './push.ts';
import { rangeDiffCommand } from './range-diff.ts';
import { sendPackCommand } from './send-pack.ts';
import { rebase } from './rebase.ts';
import { remote } from './remote.ts';
import { replace } from './replace.ts';
import { rerere } from './rerere.ts';
import { reset } from './reset.ts';
import { restore } from './restore.ts';
import { revParse } from './rev-parse.ts';
import { rm } from './rm.ts';
import { show } from './show.ts';
import { showBranch } from './show-branch.ts';
import { sparseCheckout } from './sparse-checkout.ts';
import { stash } from './stash.ts';
import { status } from './status.ts';
import { checkout } from './checkout.ts';
import { switchBranch } from './switch.ts';
import { tag } from './tag.ts';
import { bisect } from './bisect.ts';
import { blame } from './blame.ts';
import { cherry } from './cherry.ts';
import { clean } from './clean.ts';
import { credential } from './credential.ts';
import { credentialStore } from './credential-store.ts';
import { describe } from './describe.ts';
import { formatPatch } from './format-patch.ts';
import { grep } from './grep.ts';
import { lsTree } from './ls-tree.ts';
import { reflog } from './reflog.ts';
import { revList } from './rev-list.ts';
import { shortlog } from './shortlog.ts';
import { checkAttributes } from './check-attr.ts';
import { checkIgnore } from './check-ignore.ts';
import { writeTree } from './write-tree.ts';
import { hashObject } from './hash-object.ts';
import { mergeBase } from './merge-base.ts';
import { nameRev } from './name-rev.ts';
import { notes } from './notes.ts';
import { fmtMergeMsg } from './fmt-merge-msg.ts';
import { forEachRepo } from './for-each-repo.ts';
import { unpackFile } from './unpack-file.ts';
import { forEachRef } from './for-each-ref.ts';
import { showRef, symbolicRef } from './refs.ts';
import { submodule } from './submodule.ts';
import { checkMailmap } from './check-mailmap.ts';
import { checkRefFormat } from './check-ref-format.ts';
import { checkoutIndex } from './checkout-index.ts';
import { commitGraph } from './commit-graph.ts';
import { commitTree } from './commit-tree.ts';
import { diffFiles, diffIndex } from './diff-index.ts';
import { envHelper } from './env-helper.ts';
import { mktag } from './mktag.ts';
import { mktree } from './mktree.ts';
import { packRefs } from './pack-refs.ts';
import { receivePackCommand } from './receive-pack.ts';
import { uploadPack } from './upload-pack.ts';
import { readTree } from './read-tree.ts';
import { stripspace } from './stripspace.ts';
import { updateIndex } from './update-index.ts';
import { updateRef } from './update-ref.ts';
import { variable } from './var.ts';
import { worktree } from './worktree.ts';
import { countObjects } from './count-objects.ts';
import { archive } from './archive.ts';
import { mailinfo } from './mailinfo.ts';
import { mailsplit } from './mailsplit.ts';
import { getTarCommitId } from './get-tar-commit-id.ts';
import { fsck } from './fsck.ts';
import { gc } from './gc.ts';
import { hook } from './hook.ts';
import { maintenance } from './maintenance.ts';
import { indexPack } from './index-pack.ts';
import { packObjects } from './pack-objects.ts';
import { prune } from './prune.ts';
import { prunePacked } from './prune-packed.ts';
import { repack } from './repack.ts';
import { showIndex } from './show-index.ts';
import { unpackObjects } from './unpack-objects.ts';
import { updateServerInfo } from './update-server-info.ts';
import { verifyPack } from './verify-pack.ts';
import { refused } from './refused.ts';

/** Subcommands by name, one per line. */
export const commands: Record<string, Command> = {
	...refused,
	add,
	am,
	annotate: blame,
	apply,
	archive,
	bisect,
	blame,
	branch,
	bundle,
	'cat-file': catFile,
	'check-attr': checkAttributes,
	'check-ignore': checkIgnore,
	'check-mailmap': checkMailmap,
	'check-ref-format': checkRefFormat,
	checkout,
	'checkout-index': checkoutIndex,
	cherry,
	'cherry-pick': cherryPick,
	clean,
	clone: cloneWithModules,
	commit,
	'commit-tree': commitTree,
	config,
	credential,
	'credential-store': credentialStore,
	describe,
	diff,
	'diff-files': diffFiles,
	'diff-index': diffIndex,
	'diff-tree': diffTree,
	'env--helper': envHelper,
	'fast-import': fastImport,
	fetch,
	'fmt-merge-msg': fmtMergeMsg,
	'for-each-ref': forEachRef,
	'for-each-repo': forEachRepo,
	'unpack-file': unpackFile,
	fsck,
	'get-tar-commit-id': getTarCommitId,
	mailinfo,
	mailsplit,
	'fsck-objects': fsck,
	gc,
	hook,
	maintenance,
	prune,
	repack,
	'format-patch': formatPatch,
	grep,
	'hash-object': hashObject,
	init,
	'interpret-trailers': interpretTrailers,
	log,
	'ls-files': lsFiles,
	'ls-tree': lsTree,
	merge,
	'merge-base': mergeBase,
	'merge-file': mergeFile,
	'merge-recursive': mergeRecursive,
	'merge-tree': mergeTree,
	mktag,
	mktree,
	mv,
	'name-rev': nameRev,
	notes,
	'pack-refs': packRefs,
	'prune-packed': prunePacked,
	'update-server-info': updateServerInfo,
	'pack-objects': packObjects,
	'index-pack': indexPack,
	'unpack-objects': unpackObjects,
	'verify-pack': verifyPack,
	'show-index': showIndex,
	'count-objects': countObjects,
	'commit-graph': commitGraph,
	'patch-id': patchIdCommand,
	pull,
	push,
	'range-diff': rangeDiffCommand,
	'fetch-pack': fetchPack,
	'filter-branch': filterBranch,
	'ls-remote': lsRemote,
	'send-pack': sendPackCommand,
	'read-tree': readTree,
	'receive-pack': receivePackCommand,
	rebase,
	reflog,
	remote,
	replace,
	rerere,
	reset,
	restore,
	'rev-list': revList,
	'rev-parse': revParse,
	revert,
	rm,
	shortlog,
	show,
	'show-branch': showBranch,
	'show-ref': showRef,
	'sparse-checkout': sparseCheckout,
	stage: add,
	stash,
	status,
	stripspace,
	submodule,
	switch: switchBranch,
	'symbolic-ref': symbolicRef,
	tag,
	'update-index': updateIndex,
	'upload-pack': uploadPack,
	'update-ref': updateRef,
	var: variable,
	whatchanged,
	worktree,
	'write-tree': writeTree
};
