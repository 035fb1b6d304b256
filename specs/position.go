package specs

import "fmt"

// Position is a place in a source file. Line and Column count from 1; Column
// counts bytes.
type Position struct {
	File   string `json:"file"`   // the name of the file
	Line   int    `json:"line"`   // from 1; 0 if there is no place
	Column int    `json:"column"` // from 1, in bytes
}

// String returns file:line:column.
func (p Position) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column) }
