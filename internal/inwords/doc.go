// Package inwords has the words in which every output speaks of fault sets that are
// listed, and of repairs that are suggested.
package inwords
