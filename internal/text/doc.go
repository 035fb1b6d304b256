// Package text makes foreign text safe to print, and writes counts and lists in words,
// tables, trees, and text for JSON, Markdown, diagrams and shells.
//
// Safe and its siblings take names, strings, errors and whatever else comes from
// programs, hosts, files and the environment. Visible characters stay as they are,
// in every script. Other characters are written as Go escapes them in strings,
// \x1b or \u202e: control characters, bytes that are not UTF-8, marks of direction,
// and characters of no width, except where a script or an emoji needs them. The
// brackets and colons of commands to the log of a continuous integration are
// escaped too: "##[" anywhere in a line, and "::" at its beginning.
//
// Widths are those on a screen, neither bytes nor characters. The JSON of ldfi
// keeps ">" as it is, and a field that nothing reads is an error.
package text
