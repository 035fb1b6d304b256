// Package report writes a report as one HTML file that needs no server and no
// network: verdict and reason, space-time diagrams, states by round, lineage, and the
// commands that repeat it all.
//
// A [Page] is the contents of a report. Callers fill it in: [New] takes an answer,
// [Page.AddExecution] a recording, and so on. [Write] writes it to a file. Everything
// in a report is also there as text, so that it can be read where no scripts run; the
// scripts in assets only draw.
//
// Everything that comes from users is made printable when it is added to a page,
// escaped when it is written, and set as text by the scripts. A Content-Security-Policy
// allows no scripts and no loads but these.
package report
