// Package difference puts into words by what two executions differ, and finds it where
// there are only two recordings.
package difference
