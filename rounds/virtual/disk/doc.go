// Package disk simulates a disk that loses in a crash what a real disk may lose.
//
// A [Disk] is a small file system in memory, for servers that take their storage as a
// parameter. A [File] is used like an [os.File], and errors are those of package os: an
// *fs.PathError, or for two names an *os.LinkError, that wraps fs.ErrNotExist and the
// like. Names are rooted: "wal" and "/wal" are one file. A disk may be used by several
// goroutines at once.
//
// # What is durable
//
// Reads see at once what was written. What survives a crash follows the strict
// guarantees of ext4, XFS and the like:
//
//   - The content of a file and its length are durable once File.Sync has returned
//     without an error. Nothing else makes them durable, in particular not File.Close.
//   - A name (of a file or directory that was created, renamed or removed) is durable
//     once [Disk.SyncDir] of its directory has. File.Sync of a new file does not make
//     its name durable: ext4 does that, but POSIX does not promise it.
//   - Operations on the names of one directory become durable in their order.
//   - A rename is atomic. A rename from one directory to another is an operation on
//     both: SyncDir of either makes it durable, with all earlier operations on both.
//   - A file that replaced another by a rename may be empty after a crash: its name and
//     its content become durable independently.
//
// # What a crash leaves
//
// Disk.Crash has three outcomes. Lost leaves only what is durable. Kept leaves
// everything that was written, unless a sync of it failed. Torn draws something in
// between:
//
//   - of each directory, a prefix of the operations on its names that were not yet
//     durable;
//   - of each file, its length after a prefix of the operations that were not yet
//     durable, or at a sector within an operation that made it longer;
//   - of the content of a file, mostly the same operations, the last of them cut at a
//     sector or with some of its sectors only; sometimes each sector as it was after
//     any number of the operations, because a kernel writes pages in no given order. A
//     sector that was never written, in a file that has become longer, is zero. Bytes
//     that were cut off do not come back: writes before and after a truncation do not
//     mix.
//
// Torn may also draw the outcome of Lost or of Kept.
//
// # Syncs that fail
//
// In a round with failing syncs (Disk.FailSync) Sync and SyncDir return an error that
// wraps syscall.EIO. What they should have made durable is not durable, and no later
// sync makes it durable unless it is written again: Linux marks the pages of a failed
// write as clean. Reads still see it until the machine crashes. So a server that takes
// the next successful sync for a success of its earlier writes loses them. Whole
// sectors are written: a later write into a sector writes all of it.
//
// # Programs in other processes
//
// A program in another process has a copy of the disk (Disk.Image), and sends a log of
// what it does to that (Disk.Replay).
package disk
