// Package answertext writes answers as text, in the same words for the terminal, the
// HTML page, the terminal program of explore and the tools of assistants.
package answertext
