// Package shiviz writes executions as logs that ShiViz reads (I. Beschastnikh, P. Wang,
// Y. Brun and M. D. Ernst, "Debugging distributed systems", CACM 2016): two lines for
// each event, what happened and a vector clock.
package shiviz
