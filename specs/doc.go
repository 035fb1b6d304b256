// Package specs has what the languages that say what a system is and what it
// promises have in common: values, and positions in source files. Package
// dedalus reads protocols, package property says what a recording has to satisfy.
package specs
