// Package slot does units, one at a time: in a directory of its own, in a process of ldfi
// that does one unit after the other, within limits of memory and time.
//
// Whatever a unit does, the worker goes on: a process that crashes, takes too much, says
// nothing or says what makes no sense is killed, and the result says why. What a unit
// leaves behind, files and processes, is gone when the next one begins, and also when the
// worker itself is killed: between the two stands a process that keeps ldfi and all that it
// starts together ([Keep]).
//
// Of programs that come with units, which a worker starts only if it was told so, this is
// what holds on Linux: their files lie in the directory, they do not see the environment of
// the worker, they cannot leave the process that keeps them by going into a session of their
// own or by outliving who started them, and their memory counts. On other systems one that
// leaves both its process group and its parent is lost from sight. Nowhere is it kept from
// the files and the network that the user of the worker can reach, nor from killing
// processes of that user: who does not trust who asks gives the worker a user, or a
// container, of its own.
package slot
