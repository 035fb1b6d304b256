// Package hunt divides a long test among many machines: one that looks at random inputs,
// each made from a seed, with the flags
//
//	-long N   how many inputs
//	-seed S   the seed of the first; the next has S+1, and so on
//
// as the campaigns of this repository have them. Each machine gets the program of the tests
// and some of the seeds.
package hunt
