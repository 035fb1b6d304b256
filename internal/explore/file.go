package explore

import (
	"fmt"
	"io"
	"strings"

	"github.com/lineage-driven/ldfi/internal/atomicfile"
	"github.com/lineage-driven/ldfi/internal/files"
	"github.com/lineage-driven/ldfi/rounds"
)

// mostText is the size of the largest file with a schedule that is read.
const mostText = 1 << 20

// Save writes the current schedule into a file, in its text form. It is no file of what
// is explored.
func (e *Exploration) Save(name string) error {
	for _, read := range e.asked.Read() {
		if read == name {
			return fmt.Errorf("%s belongs to what is explored, and would be lost: save into another file", name)
		}
	}
	text := e.now.schedule.String() + "\n"
	if err := atomicfile.Write(name, func(w io.Writer) error { _, err := io.WriteString(w, text); return err }); err != nil {
		return err
	}
	e.saved = e.now.schedule.String()
	return nil
}

// Load makes the schedule of a file the current one.
func (e *Exploration) Load(name string) error {
	text, err := files.ReadNamed(name, mostText)
	if err != nil {
		return err
	}
	if err := e.SetText(strings.TrimSpace(string(text))); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	e.saved = e.now.schedule.String()
	return nil
}

// SetText makes the schedule of a text the current one.
func (e *Exploration) SetText(text string) error {
	s, err := rounds.ParseSchedule(text)
	if err != nil {
		return err
	}
	return e.Set(s)
}

// Unsaved tells whether the current schedule has faults, and is not the one that was
// saved or loaded.
func (e *Exploration) Unsaved() bool {
	text := e.now.schedule.String()
	return text != "" && text != e.saved
}
