// Package explore is an exploration of fault hypotheses, and the terminal program that
// shows it.
//
// An exploration is a schedule that is changed one fault at a time, its consequences, the
// assumptions made, and the questions asked about it. It knows no terminal: Run and Play
// turn keys into its changes and questions.
package explore
