// Package mapreduce is three parts of Hadoop's MapReduce as Go processes, each with a
// published bug and without: those of Table 2 of Leesatapornwongsa, Hao, Joshi, Lukman and
// Gunawi, "SAMC: Semantic-aware model checking for fast discovery of deep bugs in cloud
// systems", 2014. The same as programs are testdata/protocols/catalogue/mapreduce_4748.ded,
// mapreduce_5489.ded and mapreduce_5505.ded.
//
//	speculation.go  MAPREDUCE-4748: both attempts of a task succeed
//	containers.go   MAPREDUCE-5489: a job is given a node that it does not want
//	relaunch.go     MAPREDUCE-5505: a job that has finished is run again
//
// The source has the steps of the last one and the numbers of the reports. The mistakes are
// those in the titles of the reports, as Hadoop's lists of changes have them, and in its
// code before and after.
package mapreduce
