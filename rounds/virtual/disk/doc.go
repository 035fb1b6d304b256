// Package disk is a disk that forgets in a crash what a real one may forget.
//
// A [Disk] is a small file system in memory, for servers that are handed the
// storage that they use. A [File] is used like an [os.File], and errors are those
// of package os: an *[fs.PathError], for two names an *[os.LinkError], around
// [fs.ErrNotExist] and its like. Names are rooted: "wal" and "/wal" are one file.
// A disk may be used by several goroutines at once.
//
// # What is durable
//
// Reads see at once what was written. What survives a crash is decided as on ext4,
// XFS and their like, read strictly:
//
//   - What is in a file, with its length, is durable once [File.Sync] has returned
//     without an error. Nothing else makes it so, [File.Close] in particular.
//   - A name (of a file or directory that was created, renamed or removed) is durable
//     once [Disk.SyncDir] of its directory has. File.Sync of a new file does not make
//     its name durable: ext4 does that, but POSIX does not promise it.
//   - Operations on the names of one directory become durable in their order.
//   - A rename is atomic. From one directory to another it is an operation on both:
//     SyncDir of either makes it durable, with what had been done in both before it.
//   - A file that replaced another by a rename may be found empty: its name and what
//     is in it become durable each by itself.
//
// # What a crash leaves
//
// [Disk.Crash] has three outcomes. [Lost] leaves only what is durable. [Kept] leaves
// everything that was written, unless a sync of it failed. [Torn] leaves something in
// between, which is drawn:
//
//   - of each directory, the first so many of the operations on its names that were
//     not yet durable;
//   - of each file, its length after so many of the operations that were not yet
//     durable, or, of one that made it longer, at a sector within that;
//   - of what is in the file, mostly the same operations, the last of them cut at a
//     sector or with some of its sectors only; sometimes each sector as it was after
//     any number of the operations, because a kernel writes pages in no given order.
//     A sector that was never written, in a file that has become longer, is zero.
//     What had been cut off is not there again: what a file loses by getting shorter
//     separates what was written before from what was written after it.
//
// Lost and Kept are among what Torn may draw.
//
// # Syncs that fail
//
// In a round with failing syncs ([Disk.FailSync]) Sync and SyncDir return an error
// around [syscall.EIO]. What they were to make durable is not durable, and no later
// sync makes it so unless it is written again: Linux takes the pages of a failed write
// for clean. Reads go on to see it until the machine crashes. So a server that takes
// the next success of a sync for a success of what it wrote before loses that.
// Sectors are what is written: a later write into a sector brings along all of it.
package disk
