// Package explore is an exploration of fault hypotheses: a schedule that is changed one
// fault at a time, what happens under it, which assumptions are made, and the questions
// that are asked about it. It knows no terminal; package terminal shows it.
package explore
