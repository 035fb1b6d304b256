// Package terminal is the terminal program of ldfi explore: it shows an exploration of
// package explore, and turns keys into its changes and questions.
package terminal
