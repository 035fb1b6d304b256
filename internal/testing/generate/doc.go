// Package generate makes programs for tests: random small ones, with which campaigns
// compare evaluators, and protocols of any size, with which benchmarks measure the engine.
//
// [Random] makes a program from a seed, and [Shrink] makes one smaller that fails a test.
// A [Model] is the text of a protocol that states its bounds.
//
// Tests that link the package spend less on the collector of garbage.
package generate
