// Package drattest checks proofs that formulas cannot be satisfied, for tests: formulas in the
// DIMACS format, proofs in the DRAT format (N. Wetzler, M. Heule, W. Hunt: DRAT-trim, SAT 2014), as
// text or in its binary form. It goes forwards, and shares no code with package solver.
package drattest
