// Package explore lets a user change a schedule fault by fault and see the
// consequences, in a terminal program.
//
// An exploration is a schedule that is changed one fault at a time, with its
// consequences, the assumptions made, and the questions asked about it. It is
// independent of the terminal: Run and Play turn keys into changes and questions.
package explore
