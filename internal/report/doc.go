// Package report writes a report as one HTML file that needs no server and no
// network: verdict and reason, space-time diagrams, states by round, lineage, and the
// commands that repeat it all.
//
// A [Page] is what a report shows. It is filled in by those who know: [New] takes an
// answer, [Page.AddExecution] a recording, and so on. [Write] makes a file of it. All
// that a report says is in its text as well, so that it can be read where no scripts
// run; the scripts in assets draw.
//
// Everything foreign is made printable when it comes into a page, escaped when it is
// written, and set as text by the scripts. A Content-Security-Policy lets nothing run or
// load but these scripts.
package report
