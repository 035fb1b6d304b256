// Package lsp answers editors about programs in Dedalus, by the Language Server Protocol.
//
// An editor sends each change of a file that it has open. A [Server] checks the programs that
// read the file, and tells the editor what is wrong. What takes an evaluation waits until nobody
// has typed for a while. Every answer is made of the texts as they are now: those that the
// editor has open, saved or not, and else those on the disk. Nothing else is kept but which
// programs read which files.
//
// check.go has what is checked and when, programs.go which programs a file belongs to,
// messages.go the part of the protocol that is spoken.
package lsp
