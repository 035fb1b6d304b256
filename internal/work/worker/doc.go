// Package worker does units of work, one after the other, each with only its own files,
// in a directory of their own.
//
// A unit may end the process of the worker, because it may need more memory than the
// machine has. Then ldfi-cluster, which runs ldfi unit, starts another process.
package worker
