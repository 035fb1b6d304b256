// Package contrast says why a fact holds in one world and not in another one: which
// facts that it comes from the other world lacks, or has although they must not be
// there, and which faults are behind that.
//
// A fact that differs is explained in the world in which it holds, by the derivation that
// package explain chooses. Of what this needs, something is otherwise in the other
// world: a fact is missing, which is explained in the same way; a fact is there that
// must not be, which is explained in the other world in turn; or the faults differ. So
// every fact that is met differs, and all of them begin with faults.
//
// The package is inside of ldfi, no promise: it may change in any version.
package contrast
