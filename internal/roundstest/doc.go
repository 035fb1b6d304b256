// Package roundstest helps the tests that hold evaluators of Dedalus programs
// against each other. It gives them their cases: the protocols of
// testdata/protocols, the verdicts expected of them, and any number of random
// programs, which a [Campaign] runs a check on.
package roundstest
