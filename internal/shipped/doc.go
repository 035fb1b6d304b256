// Package shipped writes the conditions of all facts and messages of a program in a form
// that is small enough to be sent along with a page, and simple enough to be evaluated
// there: the scripts of internal/report read it (assets/circuit.js).
//
// Everything is one sequence of numbers, each in groups of 7 bits, the lowest first, of
// which all but the last have the 8th bit set (as in encoding/binary); the bytes are in
// base64. What comes in order is written as differences.
//
// A literal is a node times two, plus one if it is negated. Node 0 is false. The next ones
// are the units, which are faults and choices, in the order of schedules in normal form;
// behind them come the AND gates, each after what it reads. In this order there are
//
//   - the units: kind, process+1, to+1, round, until, by, detail+1;
//   - the number of gates, and of each what is to be taken from twice its number for the
//     larger literal that it reads, and from that for the other one;
//   - the number of atoms that are facts, and of each how many it is behind the one before,
//     the number of its runs, and of each run how many rounds it begins behind the end of
//     the one before, its length less one, and its literal;
//   - the number of links on which atoms are sent, and of each the atom, from+1, to+1 and its
//     runs as those of a fact, in the order in which messages are recorded;
//   - the number of goals, and of each its round, the atom that holds, or is missing, which
//     of both (0: it holds; 1: it is missing; 2: it is missing while another one holds, whose
//     atom follows), and its literal.
//
// The literal of a run is the difference to that of the run before, times two, with the
// sign as the lowest bit.
package shipped
