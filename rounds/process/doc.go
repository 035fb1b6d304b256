// Package process runs unchanged server programs as processes of a system: each node is
// an operating-system process of its own, from its own main package, and its executions
// are exactly repeatable.
//
// A program is built as a node with an overlay of the standard library ([Build]). All its
// goroutines then run in one bubble with a clock that the driver advances, from package
// initialisation on, and its sockets are those of a virtual network. In every round of an
// execution
//
//  1. the clock of each node advances by a tick ([Cluster.Tick]), and the goroutines whose
//     timers expire run,
//  2. everything that a node sends until all of its goroutines are at rest becomes the
//     messages of the round, which arrive at its end or are lost, as the schedule says,
//  3. each node reads what arrives, and its goroutines run until they are at rest again.
//
// So every answer takes a round. Choose a tick well below the shortest timeout of the
// program. A node for which nothing arrives and no timer ends is not called.
//
// Nodes have the names of their processes as host names, and the addresses 10.0.0.1,
// 10.0.0.2 and so on. A client is one more program, such as a load generator, that never
// crashes.
//
// # Facts
//
// A node reports
//
//	up(Node)                               of a server, in every round at whose end it runs
//	listens(Node, Port)                    in the round in which it begins to listen
//	log(Node, Level, Message, Key, Value)  for what it prints
//	exit(Node, Code)                       when it ends
//	metric(Node, Name, Labels, Value)      for what it answers to a poll (Node.Polls)
//	json(Node, Path, Value)                for that, too
//	polled(Node, URL)                      when an answer to a poll was taken
//	file(Node, Name, Digest)               when it starts first, of each of its files
//	last(Checker, Line)                    when the checker ends, what it printed last
//
// A line that it prints is taken apart, if it has the form of one of these loggers: slog
// and logrus (text and JSON), zap, zerolog and hclog (JSON), klog, logs of NATS and
// Tendermint, and log. Then each key with its value is a fact, with the level and the
// message of the line; a line without keys is one fact in which Key and Value are "".
// Levels are debug, info, warn, error, fatal and panic, or "" if the line names none. The
// keys of groups are joined by full stops. A value that is a whole number is a number.
// Times and numbers of processes are left out: the recording has the round and the node.
// Every other line is a message without a level. Of a message, key or value the first
// 1,000 bytes are reported. Nothing ties the facts of one line together: two lines with the
// same message in one round are one set of keys and values. A line of more than 64 KiB is not
// taken apart.
//
//	# No node says that it stored what another lost.
//	violation(K) :- log(N, "info", "stored", "key", K, _), log(M, _, "lost", "key", K, _), N != M.
//
// A server can be polled: asked by HTTP every so many rounds what it says of itself, in JSON or
// in the text of Prometheus. A poll is a connection to the node that no fault of the network
// strikes, and that is not in the recording, because it is none of the system. It changes
// what the server does only by being asked: an answer takes processor time and no time of the
// clock. It belongs to the round in which it is whole, which is that of the poll if the
// server answers at once. A node that is down, stands still or does not answer until it is
// asked again reports nothing. Of an answer the first 2,000 values are reported, and none
// about the runtime of Go (go_, process_, memstats), which need not be the same twice.
//
// A program that uses package ldfi/client reports more: request(Node, ID, What) and
// reply(Node, ID, What), which package specs/property/linear judges; always(Node, Message,
// Held, Place) and sometimes(Node, Message, Held, Place); and facts of its own. What such a
// program says that always holds, and does not, violates "always".
//
// A program with the SDK of Antithesis reports what it asserts as always and sometimes, and as
// reachable(Node, Message, Place) and unreachable(Node, Message, Place), which violates
// "always". Build sets the tag enable_antithesis_sdk where the module of a program requires
// the SDK. A search that finds nothing warns of what should have held in some execution and
// did not, by the calls that Build finds in the sources.
//
// A node that ends violates "no exit", "no panic" or "no hang". A client has to end ("clients
// end"), with status 0 ("clients succeed"). So has a checker ("checker ends", "checker
// succeeds"), which starts when all clients have ended and no fault is to come
// ([Cluster.Checker]).
//
// # Faults
//
// A crash kills the program, and its machine loses what was not durable; a restart starts
// the program again with what is left. A termination sends the program SIGTERM, and starts
// it again behind the last round of the fault, with all that it wrote; what has not ended
// by then is killed. A pause stops the clock. A fast or slow clock
// differs by [Cluster.Drift].
//
// # Files
//
// A node has a disk of its own, in memory. On it are /data, where the program starts and
// the files of the cluster are, /home and /tmp. Of a file of the cluster the recording has
// the name and the SHA-256 of its content, and of a folder that of the lines that sha256sum
// prints for its files. It has 1 GiB, 2 million files, and files of
// at most 1 GiB; beyond that the node prints that its disk is full. A node sees the devices
// null, zero, full, random, urandom, stdout and stderr, some files of /proc, /sys and /etc
// that are the same for all nodes, and of real files, to read them, only the certificates in /etc/ssl and
// /etc/pki/tls/certs, and the time zones in /usr/share/zoneinfo and /usr/local/go/lib/time.
// Times of files are those of its clock. Directories are listed in the order of names.
//
// All of this is for calls to Linux by package syscall: those of package os, of
// golang.org/x/sys and of libraries that use these, with mappings in memory. From programs
// that make such calls in another way the rights are taken to change real files and to make
// sockets, before they begin: by Landlock (Linux 6.2 or later), seccomp and no_new_privs.
// They can still read what you can read. Where a machine lacks one of these, ldfi says so.
//
// Package [github.com/lineage-driven/ldfi/rounds/virtual/disk] says what is durable, what
// a crash leaves (lost, kept or torn), and what a sync that fails does. Besides, as on the
// usual file systems of Linux, a sync of a new file makes its name durable, but a rename
// needs a sync of the directory. While a goroutine waits for a sync (fsync, fdatasync, or
// a write by package os to a file opened with O_SYNC), the others do what they can. Crashes
// happen between rounds and, where [Cluster.Calls] says so, before a call. What a node wrote in the round in which the runtime of Go ended it
// by a fatal error is not there afterwards. Owners of files last until the program ends.
// There are no extended attributes, named pipes and io_uring, and who watches files (inotify)
// is told of no changes. A lock that would have to wait for another one of the same program
// is an error, EDEADLK.
//
// # Memory
//
// Garbage is collected between two steps, when a node has 512 MiB of it. A node that needs
// more than 1 GiB within a step (GOMEMLIMIT, which [Node.Env] can set) collects it at times
// of its own; its executions are told not to be exact.
//
// # What nodes do not have
//
// Nodes need Linux and programs without cgo. Other programs, plugins, raw and netlink
// sockets and sockets of multicast addresses are errors, of which the node prints a line
// with the place in the program. Where a program ends within two seconds of one, its
// execution has failed, with that place, and is no finding.
package process
