// Package answertext says answers in words: what the terminal, the HTML page, the terminal
// program of explore and the tools of assistants show, all in the same ones.
package answertext
