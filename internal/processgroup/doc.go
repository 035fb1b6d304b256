// Package processgroup ends a program together with all that it started.
package processgroup
